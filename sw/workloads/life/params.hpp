// SPDX-License-Identifier: BSD-3-Clause
// The defaults give Table 2's raw times on the iPSC/2 of platforms/ (docs/validation.md shows how near).
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Conway's Life on a square without wrap-around (life.cpp).
struct LifeParams {
  std::int64_t size = 128;
  std::int64_t generations = 1012;
  double density = 0.09;
  double peak_density = 0.51;
  double peak_row = 0.37;
  double peak_width = 0.14;
  std::int64_t gliders = 14;
  std::int64_t report_every = 48;
  Nanoseconds cell_ns = 82030;
  Nanoseconds row_ns = 117500;
};

} // namespace hypermon
