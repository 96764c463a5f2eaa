// SPDX-License-Identifier: BSD-3-Clause
// The size suits a 16-node iPSC/2. The costs are based on the multiply-add of MatMul's inner loop (14.6 us with its
// index arithmetic, calibrated on Table 2), the only cost that can be derived from the paper.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Blocks that travel around a ring (ring.cpp).
struct RingParams {
  std::int64_t numbers = 32;
  std::int64_t steps = 96;
  Nanoseconds number_ns = 14600;
};

constexpr auto fields_of(const RingParams*) {
  return fields(Field{"numbers", &RingParams::numbers, range(1, 1 << 20), "numbers",
                      "Number of 8-byte numbers in each block that the ranks pass around the ring.",
                      "chosen: 256 B, long messages"},
                Field{"steps", &RingParams::steps, range(0, 1e7), "",
                      "Number of steps. In as many steps as there are ranks, a block travels once around the ring.",
                      "chosen: six times round 16 nodes"},
                Field{"number_ns", &RingParams::number_ns, range(0, 1e9), "CPU time of adding one number of a block.",
                      "assumed: one matmul.multiply_add_ns"});
}
static_assert(all_members_described<RingParams>());

} // namespace hypermon
