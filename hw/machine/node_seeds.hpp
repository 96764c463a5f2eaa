// SPDX-License-Identifier: BSD-3-Clause
// Properties of each node that follow from the seed: its crystal, and the phases of its tick and its start.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/node_clock.hpp"
#include <vector>

namespace hypermon {

struct NodeSeeds {
  NodeClock clock;
  double tick_phase;  ///< in [0, 1)
  double start_phase; ///< in [0, 1)
};
/// For all nodes, in order.
std::vector<NodeSeeds> node_seeds(const Spec& spec);
/// Only the clocks.
std::vector<NodeClock> node_clocks(const Spec& spec);

} // namespace hypermon
