// SPDX-License-Identifier: BSD-3-Clause
// A process beside the ranks that takes CPU time and does nothing else: another user's, or a daemon of the system.
#pragma once
#include "hw/machine/cpu.hpp"

namespace hypermon {

struct CompetitorDesign {
  TaskDesign task;
  Time begin{};
  Time end = Time::never();
  /// CPU time after which it sleeps for `sleep`; nothing: it never sleeps.
  Time busy{};
  Time sleep{};
};

/// Adds it to a node's processors, at whose time it has not begun yet. One thread.
TaskId add_competitor(Cpu& cpu, const CompetitorDesign& design);

} // namespace hypermon
