// SPDX-License-Identifier: BSD-3-Clause
// Life's cells: the initial pattern, and one generation of a strip of rows.
#pragma once
#include "sw/workloads/common/random.hpp"
#include "sw/workloads/life/params.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace hypermon::workloads {

/// Rows of cells (1 live, 0 dead) with a border on every side, rows -1 and `rows` and columns -1 and `columns`. Border
/// cells are dead or belong to a neighbour.
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

/// The initial pattern of every run. Small stationary objects (blocks and blinkers, in tiles so wide that they do not
/// influence each other) are dense in some rows and sparse in others, so that strips have unequal load. Gliders that
/// move down and to the right collide with them, so that the load moves and changes.
inline Grid initial_pattern(const LifeParams& p, std::uint64_t seed) {
  using Object = std::array<std::array<std::uint8_t, 3>, 3>;
  static constexpr Object block{{{1, 1, 0}, {1, 1, 0}, {0, 0, 0}}};
  static constexpr Object blinker{{{0, 0, 0}, {1, 1, 1}, {0, 0, 0}}};
  static constexpr Object glider{{{0, 1, 0}, {0, 0, 1}, {1, 1, 1}}};
  constexpr std::int64_t tile = 6;
  constexpr std::int64_t side = 3;

  Grid grid(p.size, p.size);
  const auto put = [&](const Object& object, std::int64_t top, std::int64_t left) {
    for (std::int64_t r = 0; r < side; ++r)
      std::copy_n(object[static_cast<std::size_t>(r)].begin(), side, grid.row(top + r) + left);
  };
  SplitMix64 random(seed);
  for (std::int64_t top = 1; top + side < p.size; top += tile) {
    const double height = (static_cast<double>(top) + 0.5 * side) / static_cast<double>(p.size);
    const double distance = (height - p.peak_row) / p.peak_width;
    const double density = p.density + p.peak_density * std::exp(-distance * distance);
    for (std::int64_t left = 1; left + side < p.size; left += tile)
      if (random.uniform() < density) put(random.uniform() < 0.5 ? block : blinker, top, left);
  }
  for (std::int64_t i = 0; i < p.gliders && p.size > side; ++i) {
    const auto top = random.below(p.size - side);
    const auto left = random.below(p.size - side);
    put(glider, top, left);
  }
  return grid;
}

/// Computes row r of the next generation. Returns the number of cells that a sparse algorithm examines there: those
/// with a live cell in their 3 x 3 neighbourhood.
inline std::int64_t advance_row(const Grid& now, Grid& next, std::int64_t r) {
  const std::uint8_t* above = now.row(r - 1);
  const std::uint8_t* here = now.row(r);
  const std::uint8_t* below = now.row(r + 1);
  std::uint8_t* out = next.row(r);
  std::int64_t examined = 0;
  for (std::int64_t c = 0; c < now.columns(); ++c) {
    int live = 0; // including the cell itself
    for (std::int64_t k = c - 1; k <= c + 1; ++k) live += above[k] + here[k] + below[k];
    out[c] = live == 3 || (live == 4 && here[c]);
    examined += live > 0;
  }
  return examined;
}

} // namespace hypermon::workloads
