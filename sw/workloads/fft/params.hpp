// SPDX-License-Identifier: BSD-3-Clause
// Its size is for a 16-node iPSC/2; its costs rest on the multiply-add of MatMul's inner loop (14.6 us with its index
// arithmetic, calibrated on Table 2), the only one that the paper lets us derive.
#pragma once
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

} // namespace hypermon
