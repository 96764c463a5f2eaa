// SPDX-License-Identifier: BSD-3-Clause
// Result keys of SCMS/RMS's plug-ins.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct ScmsPluginKeys {
  struct Plugins {
    ResultList list{"monitor.plugins[]"};
    ResultKey<std::string> name{"monitor.plugins[].name", "",
                                "Name of an SCMS plug-in, or its file if it cannot be loaded."};
    ResultKey<std::optional<int>> id{"monitor.plugins[].id", "",
                                     "32-bit id of the plug-in; null if it cannot be loaded."};
    ResultKey<int> loads{"monitor.plugins[].loads", "", "Number of times that a CMA loaded the plug-in."};
    ResultKey<int> refused{"monitor.plugins[].refused", "", "Number of times that a CMA could not load the plug-in."};
    ResultKey<int> unloads{"monitor.plugins[].unloads", "", "Number of times that a CMA unloaded the plug-in."};
    ResultKey<int> reads{"monitor.plugins[].reads", "values", "Number of values that the plug-in read."};
    ResultKey<int> crashes{"monitor.plugins[].crashes", "", "Number of times that the plug-in crashed."};
    ResultKey<std::optional<double>> first_crash_s{"monitor.plugins[].first_crash_s", "s",
                                                   "Time of the plug-in's first crash; null if it never crashed."};
    ResultKey<std::string> error{
        "monitor.plugins[].error", "",
        "Cause of the plug-in's first crash, or the reason why it cannot be loaded; empty otherwise."};
  } plugins;
  struct PluginChanges {
    ResultList list{"monitor.plugin_changes[]"};
    ResultKey<std::string> change{"monitor.plugin_changes[].change", "",
                                  "Loading or unloading of a plug-in in scms_plugins.schedule, in order of time."};
    ResultKey<std::optional<double>> took_s{
        "monitor.plugin_changes[].took_s", "s",
        "Time from the change's request until all nodes had answered; null if the change was not made."};
    ResultKey<int> done{"monitor.plugin_changes[].done", "nodes",
                        "Number of nodes on which the plug-in change was made."};
    ResultKey<int> refused{"monitor.plugin_changes[].refused", "nodes",
                           "Number of nodes on which the plug-in change failed: the plug-in cannot be loaded, crashed, "
                           "or was not loaded."};
    ResultKey<int> missing{"monitor.plugin_changes[].missing", "nodes",
                           "Number of nodes that did not answer the request for the plug-in change."};
  } plugin_changes;
};
inline constexpr ScmsPluginKeys scms_plugin_keys{};

} // namespace hypermon
