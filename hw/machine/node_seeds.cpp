// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/node_seeds.hpp"
#include "hw/machine/params.hpp"
#include <random>

namespace hypermon {

namespace {
/// Uniform in [0, 1), the same on every C++ library.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1.0p-53; }
} // namespace

std::vector<NodeSeeds> node_seeds(const Spec& spec) {
  std::mt19937_64 random(static_cast<std::uint64_t>(spec.seed));
  std::vector<NodeSeeds> nodes;
  for (std::int64_t n = 0; n < spec.nodes; ++n) {
    const double drift = (uniform(random) - 0.5) * spec.get<NodeParams>().clock_drift_ppm * 1e-6;
    const Time offset = (2 * uniform(random) - 1) * spec.get<NodeParams>().clock_offset_us;
    const double tick_phase = uniform(random);
    const double start_phase = uniform(random);
    nodes.push_back({{drift, offset, spec.get<NodeParams>().clock_resolution_ns}, tick_phase, start_phase});
  }
  return nodes;
}

std::vector<NodeClock> node_clocks(const Spec& spec) {
  std::vector<NodeClock> clocks;
  for (const NodeSeeds& node : node_seeds(spec)) clocks.push_back(node.clock);
  return clocks;
}

} // namespace hypermon
