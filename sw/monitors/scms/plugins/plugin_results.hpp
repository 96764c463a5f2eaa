// SPDX-License-Identifier: BSD-3-Clause
// What a result says of plug-ins.
#pragma once
#include "base/parts.hpp"

#include <vector>

namespace hypermon::scms {

inline ResultKeys plugin_results() {
  return {
      {"monitor.plugins[].name", "", "scms: name of a plug-in, or its file if it cannot be loaded.", result::text},
      {"monitor.plugins[].id", "", "scms: the 32-bit id of a plug-in; null if it cannot be loaded.", result::or_null()},
      {"monitor.plugins[].loads", "", "scms: how often a CMA has loaded it."},
      {"monitor.plugins[].refused", "", "scms: how often one could not."},
      {"monitor.plugins[].unloads", "", "scms: how often one has unloaded it."},
      {"monitor.plugins[].reads", "values", "scms: that it gave."},
      {"monitor.plugins[].crashes", "", "scms: how often it crashed."},
      {"monitor.plugins[].first_crash_s", "s", "scms: when it did first; null if it never did.", result::or_null()},
      {"monitor.plugins[].error", "", "scms: what it crashed of first, or why it cannot be loaded; else empty.",
       result::text},
      {"monitor.plugin_changes[].change", "", "scms: of scms_plugins.schedule, by date.", result::text},
      {"monitor.plugin_changes[].took_s", "s", "scms: until all nodes had answered; null if it was not made.",
       result::or_null()},
      {"monitor.plugin_changes[].done", "nodes", "scms: where it was made."},
      {"monitor.plugin_changes[].refused", "nodes",
       "scms: where it was not: it cannot be loaded, crashed, or was not there."},
      {"monitor.plugin_changes[].missing", "nodes", "scms: that did not answer."}};
}

} // namespace hypermon::scms
