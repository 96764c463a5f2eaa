// SPDX-License-Identifier: BSD-3-Clause
// The defaults give Table 2's raw times on the iPSC/2 of platforms/ (docs/validation.md shows how near).
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Matrix product (matmul.cpp).
struct MatmulParams {
  std::int64_t size = 256;
  std::int64_t result_blocks = 6;
  Nanoseconds multiply_add_ns = 14597;
};

} // namespace hypermon
