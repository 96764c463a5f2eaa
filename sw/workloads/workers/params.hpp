// SPDX-License-Identifier: BSD-3-Clause
// Its size is for a 16-node iPSC/2; its costs rest on the multiply-add of MatMul's inner loop (14.6 us with its index
// arithmetic, calibrated on Table 2), the only one that the paper lets us derive.
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// A master deals out tasks (workers.cpp).
struct WorkersParams {
  std::int64_t tasks = 1500;
  std::int64_t points = 500;
  Nanoseconds point_ns = 58400;
  Nanoseconds deal_ns = 58400;
};

} // namespace hypermon
