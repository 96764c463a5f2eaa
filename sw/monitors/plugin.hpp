// SPDX-License-Identifier: BSD-3-Clause
// A user's monitor: a shared object for hypermon-sim --plugin FILE.so.
//
//   #include "sw/monitors/plugin.hpp"
//   HYPERMON_PLUGIN((hypermon::Plugin{own_part(), own_monitor()}))
//
// The shared object is linked to no library: when it is loaded, it finds the simulator's symbols in hypermon-sim.
#pragma once
#include "base/parts.hpp"
#include "sw/monitors/monitor_kind.hpp"

#include <hypermon_build.hpp>

namespace hypermon {

struct Plugin {
  Part part;           ///< with Part::Kind::monitor
  MonitorKind monitor; ///< with the same name
};

} // namespace hypermon

// hypermon-sim reads the first symbol from the file before it loads the file: an object built with other headers would
// have other layouts of the same types.
#define HYPERMON_PLUGIN(plugin)                                                                                        \
  extern "C" __attribute__((visibility("default"), used)) const char hypermon_plugin_build[] = HYPERMON_BUILD;         \
  extern "C" __attribute__((visibility("default"))) void hypermon_plugin(hypermon::Plugin* made) { *made = (plugin); }
