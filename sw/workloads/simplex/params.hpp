// SPDX-License-Identifier: BSD-3-Clause
// The defaults give Table 2's raw times on the iPSC/2 of platforms/ (docs/validation.md shows how near).
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Column-wise parallel Simplex (simplex.cpp).
struct SimplexParams {
  std::int64_t problems = 6;
  std::int64_t constraints = 72;
  std::int64_t variables = 128;
  std::int64_t instance = 25;
  Nanoseconds update_ns = 14285;
  Nanoseconds price_ns = 5000;
  Nanoseconds ratio_ns = 42000;
  Nanoseconds poll_ns = 6500;
  std::int64_t poll_limit = 0;
  Microseconds poll_limit_us = 0;
};

} // namespace hypermon
