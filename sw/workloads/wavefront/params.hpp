// SPDX-License-Identifier: BSD-3-Clause
// Its size is for a 16-node iPSC/2; its costs rest on the multiply-add of MatMul's inner loop (14.6 us with its index
// arithmetic, calibrated on Table 2), the only one that the paper lets us derive.
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Relaxation in a pipeline of planes, as LU's (wavefront.cpp).
struct WavefrontParams {
  std::int64_t size = 32;
  std::int64_t planes = 16;
  std::int64_t iterations = 5;
  double omega = 1.2;
  Nanoseconds point_ns = 58400;
};

} // namespace hypermon
