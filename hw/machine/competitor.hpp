// SPDX-License-Identifier: BSD-3-Clause
// A process beside the ranks that only takes CPU time: another user's process, or a daemon of the system.
#pragma once
#include "hw/machine/cpu.hpp"

namespace hypermon {

struct CompetitorDesign {
  TaskDesign task;
  Time begin{};
  Time end = Time::never();
  /// The process sleeps for `sleep` after this CPU time; 0: it never sleeps.
  Time busy{};
  Time sleep{};
};

/// Adds the process, with one thread, to a node's processors, which must not have begun to run.
TaskId add_competitor(Cpu& cpu, const CompetitorDesign& design);

} // namespace hypermon
