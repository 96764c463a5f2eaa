// SPDX-License-Identifier: BSD-3-Clause
// Result keys of SCMS/RMS's plug-ins.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct ScmsPluginKeys {
  struct Plugins {
    ResultList list{"monitor.plugins[]"};
    ResultKey<std::string> name{"monitor.plugins[].name", "",
                                "scms: name of a plug-in, or its file if it cannot be loaded."};
    ResultKey<std::optional<int>> id{"monitor.plugins[].id", "",
                                     "scms: the 32-bit id of a plug-in; null if it cannot be loaded."};
    ResultKey<int> loads{"monitor.plugins[].loads", "", "scms: how often a CMA has loaded it."};
    ResultKey<int> refused{"monitor.plugins[].refused", "", "scms: how often one could not."};
    ResultKey<int> unloads{"monitor.plugins[].unloads", "", "scms: how often one has unloaded it."};
    ResultKey<int> reads{"monitor.plugins[].reads", "values", "scms: that it gave."};
    ResultKey<int> crashes{"monitor.plugins[].crashes", "", "scms: how often it crashed."};
    ResultKey<std::optional<double>> first_crash_s{"monitor.plugins[].first_crash_s", "s",
                                                   "scms: when it did first; null if it never did."};
    ResultKey<std::string> error{"monitor.plugins[].error", "",
                                 "scms: what it crashed of first, or why it cannot be loaded; else empty."};
  } plugins;
  struct PluginChanges {
    ResultList list{"monitor.plugin_changes[]"};
    ResultKey<std::string> change{"monitor.plugin_changes[].change", "", "scms: of scms_plugins.schedule, by date."};
    ResultKey<std::optional<double>> took_s{"monitor.plugin_changes[].took_s", "s",
                                            "scms: until all nodes had answered; null if it was not made."};
    ResultKey<int> done{"monitor.plugin_changes[].done", "nodes", "scms: where it was made."};
    ResultKey<int> refused{"monitor.plugin_changes[].refused", "nodes",
                           "scms: where it was not: it cannot be loaded, crashed, or was not there."};
    ResultKey<int> missing{"monitor.plugin_changes[].missing", "nodes", "scms: that did not answer."};
  } plugin_changes;
};
inline constexpr ScmsPluginKeys scms_plugin_keys{};

} // namespace hypermon
