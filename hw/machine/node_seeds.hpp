// SPDX-License-Identifier: BSD-3-Clause
// What the seed gives each node: its crystal, and the phases in which it ticks and starts.
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
/// Of all nodes, in order.
std::vector<NodeSeeds> node_seeds(const Spec& spec);
/// Their clocks alone.
std::vector<NodeClock> node_clocks(const Spec& spec);

} // namespace hypermon
