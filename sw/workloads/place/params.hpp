// SPDX-License-Identifier: BSD-3-Clause
// The defaults give Table 2's raw times on the iPSC/2 of platforms/ (docs/validation.md shows how near).
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Standard-cell placement by simulated annealing (place.cpp).
struct PlaceParams {
  std::int64_t rows = 16;
  std::int64_t columns = 32;
  std::int64_t nets = 600;
  std::int64_t attempts = 151770;
  std::int64_t accepted = 20235;
  std::int64_t temperatures = 148;
  std::int64_t sum_every = 4;
  std::int64_t sequence_accepted = 0;
  std::int64_t reheats = 8;
  double thermostat_gain = 0.1;
  Nanoseconds pin_ns = 25000;
  Nanoseconds update_ns = 50000;
};

} // namespace hypermon
