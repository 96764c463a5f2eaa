// SPDX-License-Identifier: BSD-3-Clause
// A specification's boards as designs to be counted over a recording (hw/hypermon/core/count_replay.hpp).
#pragma once
#include "base/spec.hpp"
#include "hw/hypermon/core/board_design.hpp"
#include <vector>

namespace hypermon {

/// Can board_designs() say all that the counts depend on? Else a full replay must count: faults, drain programs that
/// take time or can fail, timestamps on request (a recording has no flags), and full FIFOs that stall; or a
/// co-simulation: a second master on the bus.
bool counts_apart(const Spec& spec);

/// In the order of the boards; whatever counts_apart() says.
std::vector<BoardDesign> board_designs(const Spec& spec);

} // namespace hypermon
