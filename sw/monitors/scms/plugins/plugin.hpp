// SPDX-License-Identifier: BSD-3-Clause
// A plug-in of a CMA: it provides resources by number (sec. 2: identified by a 32-bit id, with interface functions).
#pragma once
#include "sw/monitors/scms/core/ids.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {
class Site;
} // namespace hypermon

namespace hypermon::scms {

/// One interface function of a plug-in.
struct Function {
  std::uint32_t number = 0;
  std::string name;       ///< name in the form that users write: hardware.load
  std::int32_t bytes = 8; ///< bytes of its value on the wire; more than 8: a block whose content is not simulated
};

/// A plug-in has crashed: with an exception, which its CMA survives, or with a signal, which its CMA does not survive.
struct PluginCrash {
  std::string what;
  bool is_signal = false;
};

/// The resources of one plug-in on all nodes; each node's CMA may have it loaded or not. Throws PluginCrash.
class Plugin {
public:
  Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  virtual PluginId id() const = 0;
  virtual const std::string& name() const = 0;
  virtual const std::vector<Function>& functions() const = 0;
  /// Loads the plug-in on a node at the simulated time `now`. Returns false if it cannot be loaded there.
  virtual bool load(NodeId /*node*/, Time /*now*/) { return true; }
  virtual void unload(NodeId /*node*/, Time /*now*/) {}
  /// The node's CMA has ended: drops the plug-in's state there.
  virtual void forget(NodeId /*node*/) {}
  /// Reads a value at the simulated time `now`. The function must be in functions(), and the plug-in loaded there.
  virtual std::int64_t read(NodeId node, std::uint32_t function, Time now) = 0;
  /// The counter whose value the function returns, if it is one of the node as a whole. Its samples are then in the
  /// run's log.
  virtual std::optional<std::uint32_t> counter(std::uint32_t /*function*/) const { return {}; }
};

} // namespace hypermon::scms
