// SPDX-License-Identifier: BSD-3-Clause
// Block-cyclic columns: panel k has the columns from k * block on and belongs to rank k % ranks. These functions give
// the exact amount of work and data without computing.
#pragma once
#include <algorithm>
#include <cstdint>

namespace hypermon::workloads {

struct Panels {
  std::int64_t size;
  std::int64_t block;
  int ranks;

  std::int64_t count() const { return (size + block - 1) / block; }
  std::int64_t begin(std::int64_t panel) const { return panel * block; }
  std::int64_t width(std::int64_t panel) const { return std::min(block, size - begin(panel)); }
  /// Number of rows from the panel's diagonal down.
  std::int64_t rows(std::int64_t panel) const { return size - begin(panel); }
  int owner(std::int64_t panel) const { return static_cast<int>(panel % ranks); }
  /// The rank's first panel after `panel`.
  std::int64_t next(std::int64_t panel, int rank) const {
    return panel + 1 + (rank - owner(panel + 1) + ranks) % ranks;
  }

  /// Number of entries on and below the diagonal.
  std::int64_t numbers(std::int64_t panel) const {
    const auto w = width(panel);
    return w * rows(panel) - w * (w - 1) / 2;
  }
  std::int64_t numbers_behind(std::int64_t panel, int rank) const {
    std::int64_t sum = 0;
    for (auto j = next(panel, rank); j < count(); j += ranks) sum += numbers(j);
    return sum;
  }
  /// Multiply-adds for factoring it: an entry in its column c needs c multiply-adds and a division.
  std::int64_t factoring(std::int64_t panel) const {
    std::int64_t sum = 0;
    for (std::int64_t c = 0; c < width(panel); ++c) sum += (c + 1) * (rows(panel) - c);
    return sum;
  }
};

} // namespace hypermon::workloads
