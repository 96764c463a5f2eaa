// SPDX-License-Identifier: BSD-3-Clause
// The size suits a 16-node iPSC/2. The costs are based on the multiply-add of MatMul's inner loop (14.6 us with its
// index arithmetic, calibrated on Table 2), the only cost that can be derived from the paper.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Every rank exchanges data with every other rank (alltoall.cpp).
struct AlltoallParams {
  std::int64_t numbers = 16;
  std::int64_t repeats = 8;
  Nanoseconds number_ns = 7300;
  std::int64_t largest_computed = 1 << 20;
};

constexpr auto fields_of(const AlltoallParams*) {
  return fields(Field{"numbers", &AlltoallParams::numbers, range(1, 1 << 20), "numbers",
                      "Numbers of 8 bytes in the block that a rank sends to each other rank.",
                      "chosen: 128 B, long messages"},
                Field{"repeats", &AlltoallParams::repeats, range(0, 1e7), "",
                      "Number of exchanges of all ranks with all ranks.", "chosen"},
                Field{"number_ns", &AlltoallParams::number_ns, range(0, 1e9),
                      "CPU time of processing one received number.", "assumed: half a matmul.multiply_add_ns"},
                Field{"largest_computed", &AlltoallParams::largest_computed, range(0, 1 << 20), "numbers",
                      "Largest block whose numbers are computed. Larger blocks cause the same messages and the same "
                      "CPU time, but have no contents and give no answer.",
                      "chosen"});
}
static_assert(all_members_described<AlltoallParams>());

} // namespace hypermon
