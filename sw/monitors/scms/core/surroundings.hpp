// SPDX-License-Identifier: BSD-3-Clause
// What an agent finds on its computer: plug-ins, and the books of samples.
#pragma once
#include "sw/monitors/scms/core/message.hpp"

namespace hypermon::scms {

/// Why a sample never reaches the one for whom it was taken.
enum class Loss : std::uint8_t {
  overwritten, ///< a younger value took its place before it was sent on
  dropped,     ///< by a full queue
  late,        ///< its request had been answered without it
  left,        ///< its node was given up while the value waited
};

class Surroundings {
public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  virtual ~Surroundings() = default;

  // --- plug-ins of a node's CMA --------------------------------------------------------------------------------------
  /// The value now, with its bytes and its state: ok, unknown or failed. No ticket.
  virtual Value read(NodeId node, Resource resource, Time now) = 0;
  /// ok, or failed.
  virtual State load(NodeId node, PluginId plugin, Time now) = 0;
  virtual State unload(NodeId node, PluginId plugin, Time now) = 0;
  /// Its CMA begins anew: plug-ins are as they were at the run's begin.
  virtual void restart(NodeId node, Time now) = 0;

  // --- samples -------------------------------------------------------------------------------------------------------
  /// A value that was read at `now` and is sent becomes a sample: its ticket, which goes with it; 0 if none is kept.
  virtual std::uint64_t take(NodeId node, Resource resource, Time now) = 0;
  /// Once for each ticket but 0: it is where it was to go (the root's cache, a client), or never will be.
  virtual void arrive(std::uint64_t ticket, Time now) = 0;
  virtual void lose(std::uint64_t ticket, Loss why) = 0;

  // --- for who watches the agents ------------------------------------------------------------------------------------
  /// An SMA takes its child for dead; one has joined it.
  virtual void buried(Peer /*by*/, Peer /*child*/, Time /*now*/) {}
  virtual void joined(Peer /*by*/, Peer /*child*/, Time /*now*/) {}
};

} // namespace hypermon::scms
