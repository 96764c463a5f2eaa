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
  std::string directory; ///< for the program's answer and what the monitor writes
  bool progress = false; ///< JSON lines on stderr
  bool watch = false;    ///< samples that have arrived are in their file whenever a line of progress is written
  /// Measures the program's own code on the host, into calibration.json; it takes no simulated time.
  bool calibrate = false;
  bool script = false; ///< what the program did, into the folder `script`
  /// When the ranks computed, into activity.npy, and what became of events, into events.npy: so many pieces of time are
  /// kept exactly (ActivityLog); 0: nothing.
  std::size_t activity = 0;
  std::string checked_platform; ///< with topology xml: the file that SimGrid reads (hw/machine/platform_file.hpp)
  MonitorOptions monitor;
};

/// Runs the simulation: once per process. The result is the same for the same specification, byte for byte.
Json simulate(const Spec& spec, const RunOptions& options);

} // namespace hypermon
