// SPDX-License-Identifier: BSD-3-Clause
// A monitor of one's own: a shared object for hypermon-sim --plugin FILE.so.
//
//   #include "sw/monitors/plugin.hpp"
//   HYPERMON_PLUGIN((hypermon::Plugin{own_part(), own_monitor()}))
//
// What it needs of the simulator it finds in hypermon-sim itself when it is loaded: it is linked to nothing.
#pragma once
#include "base/parts.hpp"
#include "sw/monitors/monitor_kind.hpp"

#include <hypermon_build.hpp>

namespace hypermon {

struct Plugin {
  Part part;           ///< of Part::Kind::monitor
  MonitorKind monitor; ///< of the same name
};

} // namespace hypermon

// hypermon-sim reads the first from the file before it loads it: an object that was built against other headers would
// take memory for what it is not.
#define HYPERMON_PLUGIN(plugin)                                                                                        \
  extern "C" __attribute__((visibility("default"), used)) const char hypermon_plugin_build[] = HYPERMON_BUILD;         \
  extern "C" __attribute__((visibility("default"))) void hypermon_plugin(hypermon::Plugin* made) { *made = (plugin); }
