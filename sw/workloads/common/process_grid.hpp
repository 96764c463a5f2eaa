// SPDX-License-Identifier: BSD-3-Clause
// Ranks as a grid of processes over a square of points, in row order (chosen: like an MPI program that ignores the
// shape of the network).
#pragma once
#include "sw/workloads/common/distribution.hpp"
#include "sw/workloads/common/program.hpp"

namespace hypermon::workloads {

/// The part of the square that belongs to a rank.
struct Block {
  std::int64_t top;
  std::int64_t left;
  std::int64_t rows;
  std::int64_t columns;
};

class ProcessGrid {
public:
  /// As nearly square as the number of ranks allows, and never higher than wide.
  explicit ProcessGrid(Ranks ranks) : ranks_(ranks) {
    for (int rows = 1; rows * rows <= ranks.count; ++rows)
      if (ranks.count % rows == 0) rows_ = rows;
  }

  int rows() const { return rows_; }
  int columns() const { return ranks_.count / rows_; }
  int row() const { return ranks_.mine / columns(); }
  int column() const { return ranks_.mine % columns(); }

  /// The neighbour `down` rows below and `right` columns to the right; MPI_PROC_NULL beyond the edge.
  int neighbour(int down, int right) const {
    const int r = row() + down;
    const int c = column() + right;
    if (r < 0 || r >= rows() || c < 0 || c >= columns()) return MPI_PROC_NULL;
    return r * columns() + c;
  }

  /// The points of `rank` in a square of size x size.
  Block block_of(int rank, std::int64_t size) const {
    const int r = rank / columns();
    const int c = rank % columns();
    const auto top = block_begin(size, rows(), r);
    const auto left = block_begin(size, columns(), c);
    return {top, left, block_begin(size, rows(), r + 1) - top, block_begin(size, columns(), c + 1) - left};
  }

private:
  Ranks ranks_;
  int rows_ = 1;
};

} // namespace hypermon::workloads
