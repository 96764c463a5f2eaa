// SPDX-License-Identifier: BSD-3-Clause
// The size suits a 16-node iPSC/2. The costs are based on the multiply-add of MatMul's inner loop (14.6 us with its
// index arithmetic, calibrated on Table 2), the only cost that can be derived from the paper.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Jacobi sweeps on a square with 2-D halo exchange (halo.cpp).
struct HaloParams {
  std::int64_t size = 64;
  std::int64_t iterations = 40;
  std::int64_t norm_every = 20;
  Nanoseconds point_ns = 43800;
};

constexpr auto fields_of(const HaloParams*) {
  return fields(Field{"size", &HaloParams::size, range(1, 16384), "points", "Rows and columns of the square of points.",
                      "chosen: 16 x 16 points and 128 B edges (long messages) on each of 16 nodes"},
                Field{"iterations", &HaloParams::iterations, range(0, 1e7), "", "Number of sweeps.",
                      "chosen: about half a second of host time"},
                Field{"norm_every", &HaloParams::norm_every, range(0, 1e7), "",
                      "Sweeps between two global sums of the change. 0: no sums.", "assumed"},
                Field{"point_ns", &HaloParams::point_ns, range(0, 1e9), "CPU time of updating one point in a sweep.",
                      "assumed: three multiply-adds of matmul.multiply_add_ns"});
}
static_assert(all_members_described<HaloParams>());

} // namespace hypermon
