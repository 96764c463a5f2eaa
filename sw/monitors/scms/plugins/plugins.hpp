// SPDX-License-Identifier: BSD-3-Clause
// The plug-ins of a run: their list, where they are loaded, and their state on each node.
#pragma once
#include "base/results.hpp"
#include "sw/monitors/scms/core/message.hpp"
#include "sw/monitors/scms/plugins/params.hpp"
#include "sw/monitors/scms/plugins/plugin.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace hypermon::scms {

class Plugins {
public:
  /// Throws UserError if a word is not a plug-in, or if two plug-ins have the same id or name. A user's plug-in that
  /// cannot be loaded is reported, and all CMAs go on without it.
  Plugins(const ScmsPluginParams& params, Site& site);

  /// "hardware.load process.table 100:2": by name, or <plug-in, function> by number. Throws UserError with `path` and
  /// the list of existing resources if no plug-in provides one, or if there is none in the text.
  ResourceVector resources(const std::string& text, const std::string& path) const;
  /// Names of all plug-ins that can be loaded.
  std::vector<std::string> names() const;
  /// "hardware.load", or the number if no plug-in provides it.
  std::string name(Resource resource) const;
  /// Counter of a resource whose samples are logged.
  std::optional<std::uint32_t> counter(Resource resource) const;
  /// By name or number. Throws UserError with `path` if there is no such plug-in.
  PluginId id(const std::string& name, const std::string& path) const;

  // --- of a node's CMA (core/surroundings.hpp)
  // ------------------------------------------------------------------------
  Value read(NodeId node, Resource resource, Time now);
  std::int32_t bytes(NodeId node, Resource resource) const;
  State load(NodeId node, PluginId plugin, Time now);
  State unload(NodeId node, PluginId plugin, Time now);
  /// The CMA ends, and the plug-ins lose their state; or it restarts, and they have the state of the run's begin.
  void restart(NodeId node, Time now);
  /// `handler` ends the CMA of a node whose plug-in has raised a signal.
  void on_crash(std::function<void(NodeId)> handler) { crashed_ = std::move(handler); }

  ResultRecords report() const;

private:
  struct One {
    std::unique_ptr<Plugin> plugin; // null: it cannot be loaded
    std::string name;               // name given by the user, if any
    bool at_start = false;
    std::vector<const Function*> functions{}; // by number
    std::vector<bool> loaded{};               // by node
    std::string error{};
    std::uint64_t loads = 0;
    std::uint64_t refused = 0;
    std::uint64_t unloads = 0;
    std::uint64_t reads = 0;
    std::uint64_t crashes = 0;
    std::optional<Time> first_crash{};
  };
  void add(std::unique_ptr<Plugin> plugin, bool at_start, const std::string& value_text);
  void crash(One& one, NodeId node, Time now, const PluginCrash& what);
  const One* find(PluginId plugin) const;
  One* find(PluginId plugin) { return const_cast<One*>(std::as_const(*this).find(plugin)); }
  const Function* function(Resource resource) const;

  std::size_t nodes_;
  std::vector<One> all_;
  std::function<void(NodeId)> crashed_ = [](NodeId) {};
};

} // namespace hypermon::scms
