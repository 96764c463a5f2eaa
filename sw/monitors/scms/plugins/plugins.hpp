// SPDX-License-Identifier: BSD-3-Clause
// The plug-ins of a run: which there are, which each node's CMA has loaded, what became of them there.
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
  /// Throws UserError if a word is no plug-in, or two have an id or a name. One of the user's own that cannot be loaded
  /// is reported: all CMAs go on without it.
  Plugins(const ScmsPluginParams& params, Site& site);

  /// "hardware.load process.table 100:2": by name, or <plug-in, function> by number. Throws UserError with `path` if
  /// nobody provides one, and names those that there are; or if there is none.
  ResourceVector resources(const std::string& text, const std::string& path) const;
  /// Of all that can be loaded.
  std::vector<std::string> names() const;
  /// "hardware.load", or by number if nobody provides it.
  std::string name(Resource resource) const;
  /// Of a resource that the log of samples takes.
  std::optional<std::uint32_t> counter(Resource resource) const;
  /// By name or number. Throws UserError with `path` if there is no such plug-in.
  PluginId id(const std::string& name, const std::string& path) const;

  // --- of a node's CMA (core/surroundings.hpp)
  // ------------------------------------------------------------------------
  Value read(NodeId node, Resource resource, Time now);
  std::int32_t bytes(NodeId node, Resource resource) const;
  State load(NodeId node, PluginId plugin, Time now);
  State unload(NodeId node, PluginId plugin, Time now);
  /// The CMA ends: what plug-ins remember there is gone; and begins anew: they are as they were at the run's begin.
  void restart(NodeId node, Time now);
  /// Who ends the CMA of a node whose plug-in has raised a signal.
  void on_crash(std::function<void(NodeId)> handler) { crashed_ = std::move(handler); }

  ResultRecords report() const;

private:
  struct One {
    std::unique_ptr<Plugin> plugin; // null: it cannot be loaded
    std::string name;               // as its user named it, if so
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
  void add(std::unique_ptr<Plugin> plugin, bool at_start, const std::string& said);
  void crash(One& one, NodeId node, Time now, const PluginCrash& what);
  const One* find(PluginId plugin) const;
  One* find(PluginId plugin) { return const_cast<One*>(std::as_const(*this).find(plugin)); }
  const Function* function(Resource resource) const;

  std::size_t nodes_;
  std::vector<One> all_;
  std::function<void(NodeId)> crashed_ = [](NodeId) {};
};

} // namespace hypermon::scms
