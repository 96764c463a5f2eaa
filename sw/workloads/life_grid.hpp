// Life's cells: the initial pattern, and one generation of a strip of rows.
#pragma once
#include "sw/workloads/params.hpp"
#include "sw/workloads/random.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace hypermon::workloads {

/// Rows of cells (1 live, 0 dead) with a border of dead or neighbour's cells on every side: rows -1 and `rows`,
/// columns -1 and `columns`.
class Grid {
public:
  Grid(std::int64_t rows, std::int64_t columns)
      : rows_(rows), columns_(columns), cells_(static_cast<std::size_t>((rows + 2) * (columns + 2))) {}
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::uint8_t* row(std::int64_t r) { return &cells_[offset(r)]; }
  const std::uint8_t* row(std::int64_t r) const { return &cells_[offset(r)]; }

private:
  std::size_t offset(std::int64_t r) const { return static_cast<std::size_t>((r + 1) * (columns_ + 2) + 1); }
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<std::uint8_t> cells_;
};

/// The pattern that every run starts from: random cells whose density has a peak at some rows, and gliders on
/// their way down and to the right. The rank's strips carry unequal load from it, and the load moves.
inline Grid initial_pattern(const LifeParams& p, std::uint64_t seed) {
  Grid grid(p.size, p.size);
  SplitMix64 random(seed);
  for (std::int64_t r = 0; r < p.size; ++r) {
    const double distance = ((static_cast<double>(r) + 0.5) / static_cast<double>(p.size) - p.peak_row) / p.peak_width;
    const double density = p.density + p.peak_density * (std::abs(distance) < 0.5 ? 1 : 0);
    for (std::int64_t c = 0; c < p.size; ++c) grid.row(r)[c] = random.uniform() < density;
  }
  static constexpr std::array<std::array<std::uint8_t, 3>, 3> glider{{{0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
  for (std::int64_t i = 0; i < p.gliders && p.size >= 3; ++i) {
    const auto top = random.below(p.size - 2);
    const auto left = random.below(p.size - 2);
    for (std::int64_t r = 0; r < 3; ++r)
      for (std::int64_t c = 0; c < 3; ++c)
        grid.row(top + r)[left + c] = glider[static_cast<std::size_t>(r)][static_cast<std::size_t>(c)];
  }
  return grid;
}

/// Row r of the next generation. Returns the cells that a sparse algorithm examines there: those with a live
/// cell in their 3 x 3 neighbourhood.
inline std::int64_t advance_row(const Grid& now, Grid& next, std::int64_t r) {
  const std::uint8_t* above = now.row(r - 1);
  const std::uint8_t* here = now.row(r);
  const std::uint8_t* below = now.row(r + 1);
  std::uint8_t* out = next.row(r);
  std::int64_t examined = 0;
  for (std::int64_t c = 0; c < now.columns(); ++c) {
    int live = 0; // the cell included
    for (std::int64_t k = c - 1; k <= c + 1; ++k) live += above[k] + here[k] + below[k];
    out[c] = live == 3 || (live == 4 && here[c]);
    examined += live > 0;
  }
  return examined;
}

} // namespace hypermon::workloads
