// SPDX-License-Identifier: BSD-3-Clause
// The size suits a 16-node iPSC/2. The costs are based on the multiply-add of MatMul's inner loop (14.6 us with its
// index arithmetic, calibrated on Table 2), the only cost that can be derived from the paper.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Relaxation in a pipeline of planes, like LU (wavefront.cpp).
struct WavefrontParams {
  std::int64_t size = 32;
  std::int64_t planes = 16;
  std::int64_t iterations = 5;
  double omega = 1.2;
  Nanoseconds point_ns = 58400;
};

constexpr auto fields_of(const WavefrontParams*) {
  return fields(Field{"size", &WavefrontParams::size, range(1, 4096), "points", "Rows and columns of a plane.",
                      "chosen: 8 x 8 points and 64 B edges (short messages) on each of 16 nodes"},
                Field{"planes", &WavefrontParams::planes, range(1, 4096), "", "Number of planes of the box.",
                      "chosen: twice the steps that fill a pipeline of 4 x 4 nodes"},
                Field{"iterations", &WavefrontParams::iterations, range(0, 1e6), "",
                      "Number of iterations, each with a forward and a backward sweep.", "chosen"},
                Field{"omega", &WavefrontParams::omega, range(0, 2), "",
                      "Over-relaxation factor. 1 is the method of Gauss and Seidel.",
                      "chosen: as the NAS benchmark LU"},
                Field{"point_ns", &WavefrontParams::point_ns, range(0, 1e9),
                      "CPU time of updating one point in a sweep.", "assumed: four matmul.multiply_add_ns"});
}
static_assert(all_members_described<WavefrontParams>());

} // namespace hypermon
