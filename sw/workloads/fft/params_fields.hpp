// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/fft/params.hpp"

namespace hypermon {

constexpr auto fields_of(const FftParams*) {
  return fields(
      Field{"size", &FftParams::size, range(1, 4096), "points", "Rows and columns of the square; a power of two.",
            "chosen: 256 B blocks (long messages) between each two of 16 nodes"},
      Field{"repeats", &FftParams::repeats, range(0, 1e6), "", "Transforms, of two transpositions each.", "chosen"},
      Field{"butterfly_ns", &FftParams::butterfly_ns, range(0, 1e9), "CPU time of one butterfly: ten operations.",
            "assumed: five matmul.multiply_add_ns"},
      Field{"copy_ns", &FftParams::copy_ns, range(0, 1e9), "CPU time of packing and unpacking one complex number.",
            "assumed: one matmul.multiply_add_ns"});
}
static_assert(all_members_described<FftParams>());

} // namespace hypermon
