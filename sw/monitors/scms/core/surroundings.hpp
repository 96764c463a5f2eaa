// SPDX-License-Identifier: BSD-3-Clause
// The environment of an agent: plug-ins, and the log of samples.
#pragma once
#include "sw/monitors/scms/core/message.hpp"

namespace hypermon::scms {

/// Reason why a sample never reaches its destination.
enum class Loss : std::uint8_t {
  overwritten, ///< a more recent value replaced it before it was sent on
  dropped,     ///< a full queue dropped it
  late,        ///< the request had been answered without it
  left,        ///< its node was given up while the value waited
};

class Surroundings {
public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  virtual ~Surroundings() = default;

  // --- plug-ins of a node's CMA --------------------------------------------------------------------------------------
  /// Reads the current value, with its bytes and the state ok, unknown or failed. It has no ticket.
  virtual Value read(NodeId node, Resource resource, Time now) = 0;
  /// ok or failed.
  virtual State load(NodeId node, PluginId plugin, Time now) = 0;
  virtual State unload(NodeId node, PluginId plugin, Time now) = 0;
  /// The node's CMA restarts: plug-ins have the state of the run's begin.
  virtual void restart(NodeId node, Time now) = 0;

  // --- samples -------------------------------------------------------------------------------------------------------
  /// Makes a sample of a value that was read at `now` and is sent. Returns the ticket that accompanies it; 0 if samples
  /// of it are not kept.
  virtual std::uint64_t take(NodeId node, Resource resource, Time now) = 0;
  /// Called once for each ticket other than 0: the sample has reached its destination (the root's cache, or a client),
  /// or it is lost.
  virtual void arrive(std::uint64_t ticket, Time now) = 0;
  virtual void lose(std::uint64_t ticket, Loss why) = 0;

  // --- for observers of the agents
  // --------------------------------------------------------------------------------------
  /// An SMA takes a child for dead, or a child has joined it.
  virtual void buried(Peer /*by*/, Peer /*child*/, Time /*now*/) {}
  virtual void joined(Peer /*by*/, Peer /*child*/, Time /*now*/) {}
};

} // namespace hypermon::scms
