// SPDX-License-Identifier: BSD-3-Clause
// Error of a monitor's timestamps: minimum, mean and maximum of (timestamp - true time), with integer sums.
#pragma once
#include "base/time.hpp"
#include <cstdint>

namespace hypermon {

struct TimestampError {
  Time min{}; ///< 0 while count is 0
  Time max{};
  Time sum{};
  std::uint64_t count = 0;

  void add(Time error) {
    if (count == 0) [[unlikely]]
      min = max = error;
    if (error < min) min = error;
    if (error > max) max = error;
    sum += error;
    ++count;
  }
  double mean_us() const { return count == 0 ? 0.0 : sum.microseconds() / static_cast<double>(count); }
};

} // namespace hypermon
