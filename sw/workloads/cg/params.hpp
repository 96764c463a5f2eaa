// SPDX-License-Identifier: BSD-3-Clause
// Its size is for a 16-node iPSC/2; its costs rest on the multiply-add of MatMul's inner loop (14.6 us with its index
// arithmetic, calibrated on Table 2), the only one that the paper lets us derive.
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Conjugate gradients on strips (cg.cpp).
struct CgParams {
  std::int64_t size = 32;
  std::int64_t iterations = 25;
  double tolerance = 1e-10;
  Nanoseconds multiply_add_ns = 14600;
};

} // namespace hypermon
