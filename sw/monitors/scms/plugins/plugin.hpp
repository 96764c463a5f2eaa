// SPDX-License-Identifier: BSD-3-Clause
// A plug-in of a CMA: resources that it provides, by number (sec. 2: identified by a 32-bit id, with interface
// functions).
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
  std::string name;       ///< as users write it: hardware.load
  std::int32_t bytes = 8; ///< of its value on the wire; more than 8: a block whose content is not simulated
};

/// A plug-in has crashed: by an exception, which its CMA survives, or by a signal, which it does not.
struct PluginCrash {
  std::string what;
  bool is_signal = false;
};

/// What one plug-in provides on all nodes; each node's CMA has it loaded or not. Throws PluginCrash.
class Plugin {
public:
  Plugin() = default;
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;
  virtual ~Plugin() = default;

  virtual PluginId id() const = 0;
  virtual const std::string& name() const = 0;
  virtual const std::vector<Function>& functions() const = 0;
  /// On one node, at SimGrid's date `now`. False: it cannot be loaded there.
  virtual bool load(NodeId /*node*/, Time /*now*/) { return true; }
  virtual void unload(NodeId /*node*/, Time /*now*/) {}
  /// The node's CMA has ended: what the plug-in remembered there is gone.
  virtual void forget(NodeId /*node*/) {}
  /// At SimGrid's date `now`; of functions() only, where it is loaded.
  virtual std::int64_t read(NodeId node, std::uint32_t function, Time now) = 0;
  /// The counter whose value it is, if it is one's (of the node as a whole): its samples are then in the run's log.
  virtual std::optional<std::uint32_t> counter(std::uint32_t /*function*/) const { return {}; }
};

} // namespace hypermon::scms
