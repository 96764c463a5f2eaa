// SPDX-License-Identifier: BSD-3-Clause
// One run from a resolved specification to its result.
#pragma once
#include "base/json_value.hpp"
#include "base/spec.hpp"
#include "sw/monitors/monitor_kind.hpp"

#include <string>

namespace hypermon {

struct RunOptions {
  std::string scenario;
  std::string directory; ///< for the program's output and the monitor's files
  bool progress = false; ///< JSON lines on stderr
  bool watch = false;    ///< flush samples to their file before each progress line
  /// Measures the program's own code on the host and writes calibration.json. Takes no simulated time.
  bool calibrate = false;
  bool script = false; ///< write the program's actions to the folder `script`
  /// Writes the ranks' computation times to activity.npy and the fate of events to events.npy. The value is the number
  /// of time intervals that are kept exactly (ActivityLog); 0: none.
  std::size_t activity = 0;
  std::string checked_platform; ///< with topology xml: the file that SimGrid reads (hw/machine/platform_file.hpp)
  MonitorOptions monitor;
};

/// Runs the simulation, once per process. Equal specifications give byte-identical results.
Json simulate(const Spec& spec, const RunOptions& options);

} // namespace hypermon
