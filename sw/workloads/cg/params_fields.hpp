// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/cg/params.hpp"

namespace hypermon {

constexpr auto fields_of(const CgParams*) {
  return fields(Field{"size", &CgParams::size, range(1, 4096), "points", "Rows and columns of the square.",
                      "chosen: 256 B rows, long messages; two for each of 16 nodes"},
                Field{"iterations", &CgParams::iterations, range(0, 1e6), "", "Iterations at most.",
                      "chosen: as the NAS benchmark CG"},
                Field{"tolerance", &CgParams::tolerance, range(0, 1), "",
                      "Ends when the residual has shrunk to this part of the first.",
                      "chosen: not reached in 25 iterations"},
                Field{"multiply_add_ns", &CgParams::multiply_add_ns, range(0, 1e9),
                      "CPU time of one multiply-add: five a point in the matrix product, one in others.",
                      "assumed: matmul.multiply_add_ns"});
}
static_assert(all_members_described<CgParams>());

} // namespace hypermon
