// SPDX-License-Identifier: BSD-3-Clause
// Its size is for a 16-node iPSC/2; its costs rest on the multiply-add of MatMul's inner loop (14.6 us with its index
// arithmetic, calibrated on Table 2), the only one that the paper lets us derive.
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Everyone exchanges with everyone (alltoall.cpp).
struct AlltoallParams {
  std::int64_t numbers = 16;
  std::int64_t repeats = 8;
  Nanoseconds number_ns = 7300;
  std::int64_t largest_computed = 1 << 20;
};

} // namespace hypermon
