// SPDX-License-Identifier: BSD-3-Clause
// The size suits a 16-node iPSC/2. The costs are based on the multiply-add of MatMul's inner loop (14.6 us with its
// index arithmetic, calibrated on Table 2), the only cost that can be derived from the paper.
#pragma once
#include "base/field.hpp"
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

constexpr auto fields_of(const CgParams*) {
  return fields(Field{"size", &CgParams::size, range(1, 4096), "points", "Rows and columns of the square of points.",
                      "chosen: 256 B rows, long messages; two for each of 16 nodes"},
                Field{"iterations", &CgParams::iterations, range(0, 1e6), "",
                      "Largest number of iterations of the method of conjugate gradients.",
                      "chosen: as the NAS benchmark CG"},
                Field{"tolerance", &CgParams::tolerance, range(0, 1), "",
                      "Ratio of the residual to the first residual at which the iteration ends.",
                      "chosen: not reached in 25 iterations"},
                Field{"multiply_add_ns", &CgParams::multiply_add_ns, range(0, 1e9),
                      "CPU time of one multiply-add. The matrix product needs five per point, each other step one.",
                      "assumed: matmul.multiply_add_ns"});
}
static_assert(all_members_described<CgParams>());

} // namespace hypermon
