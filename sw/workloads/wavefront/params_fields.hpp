// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/wavefront/params.hpp"

namespace hypermon {

constexpr auto fields_of(const WavefrontParams*) {
  return fields(
      Field{"size", &WavefrontParams::size, range(1, 4096), "points", "Rows and columns of a plane.",
            "chosen: 8 x 8 points and 64 B edges (short messages) on each of 16 nodes"},
      Field{"planes", &WavefrontParams::planes, range(1, 4096), "", "Planes of the box.",
            "chosen: twice the steps that fill a pipeline of 4 x 4 nodes"},
      Field{"iterations", &WavefrontParams::iterations, range(0, 1e6), "", "Sweeps forward and backward.", "chosen"},
      Field{"omega", &WavefrontParams::omega, range(0, 2), "", "Over-relaxation.", "as the NAS benchmark LU"},
      Field{"point_ns", &WavefrontParams::point_ns, range(0, 1e9), "CPU time of one point of a sweep.",
            "assumed: four matmul.multiply_add_ns"});
}
static_assert(all_members_described<WavefrontParams>());

} // namespace hypermon
