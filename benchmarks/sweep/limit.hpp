// SPDX-License-Identifier: BSD-3-Clause
// The limit of a replay's speed: the prototype's board with 8 nodes, on whose bursts nothing but frames can be lost,
// in one loop written for nothing else.
#pragma once
#include "hw/hypermon/core/burst_rows.hpp"
#include <vector>

namespace hypermon::benchmark {

struct LimitCounts {
  std::uint64_t strobes = 0;
  std::uint64_t frames_built = 0;
  std::uint64_t merged = 0;
  std::uint64_t frames_lost = 0;
  std::int64_t peak = 0;
  std::int64_t end_ps = 0;
};

/// 4-bit data, one a byte. Bursts are shorter than 50 ms, their data at least a window apart.
LimitCounts limit(std::span<const BurstRows> batches);

} // namespace hypermon::benchmark
