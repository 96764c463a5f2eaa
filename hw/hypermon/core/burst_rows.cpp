// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/burst_rows.hpp"
#include <stdexcept>
#include <string>

namespace hypermon {

void RowsInOrder::check(const BurstRows& rows) {
  const std::size_t n = rows.size();
  if (rows.first_ps.size() != n || rows.spacing_ps.size() != n || rows.offsets.size() != n + 1)
    throw std::invalid_argument("recording: columns of unequal length");
  constexpr std::int64_t longest = Time::never().ps() / 4;
  for (std::size_t i = 0; i < n; ++i) {
    const auto fail = [&](const char* what) {
      throw std::invalid_argument("recording: burst " + std::to_string(i) + " of the batch: " + what);
    };
    const std::int64_t first = rows.first_ps[i];
    const std::int64_t spacing = rows.spacing_ps[i];
    const std::int64_t bytes = std::int64_t{rows.offsets[i + 1]} - rows.offsets[i];
    if (rows.offsets[i] < 0 || bytes < 0 || static_cast<std::size_t>(rows.offsets[i + 1]) > rows.data.size())
      fail("data out of bounds");
    if (first < last_first_) fail("begins before the one before it");
    std::int64_t last = 0; // no strobe is later, whatever the width of the data
    if (spacing < 0 || __builtin_mul_overflow(spacing, bytes, &last) || __builtin_add_overflow(last, first, &last) ||
        last > longest)
      fail("impossible times");
    last_first_ = first;
  }
}

} // namespace hypermon
