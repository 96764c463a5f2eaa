// SPDX-License-Identifier: BSD-3-Clause
// Its size is for a 16-node iPSC/2; its costs rest on the multiply-add of MatMul's inner loop (14.6 us with its index
// arithmetic, calibrated on Table 2), the only one that the paper lets us derive.
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Jacobi sweeps on a square, 2-D halo exchange (halo.cpp).
struct HaloParams {
  std::int64_t size = 64;
  std::int64_t iterations = 40;
  std::int64_t norm_every = 20;
  Nanoseconds point_ns = 43800;
};

} // namespace hypermon
