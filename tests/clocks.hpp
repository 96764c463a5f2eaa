// SPDX-License-Identifier: BSD-3-Clause
// Random clocks of nodes.
#pragma once
#include "hw/machine/node_clock.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace hypermon::testing {

/// A clock with a drift of at most 500 ppm that is at most `most` wrong when the run begins. Every fourth one is exact.
inline NodeClock drawn_clock(std::mt19937_64& random, Time most) {
  const auto within = [&](std::int64_t limit) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * limit + 1)) - limit;
  };
  const double drift = static_cast<double>(within(500)) * 1e-6;
  const Time offset = Time::from_ps(within(most.ps()));
  return random() % 4 == 0 ? NodeClock(0, {}, 1_us) : NodeClock(drift, offset, 1_us);
}

inline std::vector<NodeClock> drawn_clocks(std::mt19937_64& random, std::size_t count, Time most) {
  std::vector<NodeClock> clocks;
  for (std::size_t c = 0; c < count; ++c) clocks.push_back(drawn_clock(random, most));
  return clocks;
}

} // namespace hypermon::testing
