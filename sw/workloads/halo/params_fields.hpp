// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/halo/params.hpp"

namespace hypermon {

constexpr auto fields_of(const HaloParams*) {
  return fields(Field{"size", &HaloParams::size, range(1, 16384), "points", "Rows and columns of the square.",
                      "chosen: 16 x 16 points and 128 B edges (long messages) on each of 16 nodes"},
                Field{"iterations", &HaloParams::iterations, range(0, 1e7), "", "Sweeps.",
                      "chosen: about half a second of host time"},
                Field{"norm_every", &HaloParams::norm_every, range(0, 1e7), "",
                      "Sweeps between two global sums of the change; 0: none.", "assumed"},
                Field{"point_ns", &HaloParams::point_ns, range(0, 1e9), "CPU time of one point of a sweep.",
                      "assumed: three multiply-adds of matmul.multiply_add_ns"});
}
static_assert(all_members_described<HaloParams>());

} // namespace hypermon
