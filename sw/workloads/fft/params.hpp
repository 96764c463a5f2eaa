// SPDX-License-Identifier: BSD-3-Clause
// The size suits a 16-node iPSC/2. The costs are based on the multiply-add of MatMul's inner loop (14.6 us with its
// index arithmetic, calibrated on Table 2), the only cost that can be derived from the paper.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// 2-D Fourier transform with transpositions (fft.cpp).
struct FftParams {
  std::int64_t size = 64;
  std::int64_t repeats = 4;
  Nanoseconds butterfly_ns = 73000;
  Nanoseconds copy_ns = 14600;
};

constexpr auto fields_of(const FftParams*) {
  return fields(Field{"size", &FftParams::size, range(1, 4096), "points",
                      "Rows and columns of the square grid of points; a power of two.",
                      "chosen: 256 B blocks (long messages) between each two of 16 nodes"},
                Field{"repeats", &FftParams::repeats, range(0, 1e6), "",
                      "Number of transforms, each with two transpositions.", "chosen"},
                Field{"butterfly_ns", &FftParams::butterfly_ns, range(0, 1e9),
                      "CPU time of one butterfly, which has ten operations.", "assumed: five matmul.multiply_add_ns"},
                Field{"copy_ns", &FftParams::copy_ns, range(0, 1e9),
                      "CPU time of packing and unpacking one complex number.", "assumed: one matmul.multiply_add_ns"});
}
static_assert(all_members_described<FftParams>());

} // namespace hypermon
