// SPDX-License-Identifier: BSD-3-Clause
// A specification's boards as designs whose counts are computed over a recording (hw/hypermon/core/count_replay.hpp).
#pragma once
#include "base/spec.hpp"
#include "hw/hypermon/core/board_design.hpp"
#include <vector>

namespace hypermon {

/// Whether board_designs() contains all that the counts depend on. A full replay is needed for faults, for drain
/// programs that take time or can fail, for timestamps on request (a recording has no flags) and for full FIFOs that
/// stall, and for boards of users. A second master on the bus needs a co-simulation.
bool counts_apart(const Spec& spec);

/// One design for each board, in order, whatever counts_apart() returns.
std::vector<BoardDesign> board_designs(const Spec& spec);

} // namespace hypermon
