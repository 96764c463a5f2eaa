// SPDX-License-Identifier: BSD-3-Clause
// Partdiff's matrix: the rows of a rank, and the sweeps over them.
#pragma once
#include "sw/workloads/common/distribution.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/partdiff/params.hpp"
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace hypermon::workloads {

/// Distribution of the rows of `lines` x `lines` numbers: inner rows in blocks; the first and the last row, which are
/// boundary, belong to the first and the last rank. Row numbers refer to the whole matrix.
struct Rows {
  std::int64_t lines;
  Ranks ranks;

  std::int64_t first_inner(int rank) const { return 1 + block_begin(lines - 2, ranks.count, rank); }
  std::int64_t begin(int rank) const { return rank == 0 ? 0 : first_inner(rank); }
  std::int64_t end(int rank) const { return rank == ranks.count - 1 ? lines : first_inner(rank + 1); }
  int above() const { return ranks.mine == 0 ? MPI_PROC_NULL : ranks.mine - 1; }
  int below() const { return ranks.mine == ranks.count - 1 ? MPI_PROC_NULL : ranks.mine + 1; }
};

/// A rank's inner rows, and one row on either side of them: boundary, or the neighbour's.
class Strip {
public:
  /// If nothing is computed, the memory is never touched and only uses address space.
  Strip(const Rows& rows, bool computed)
      : columns_(rows.lines), first_(rows.first_inner(rows.ranks.mine)), end_(rows.first_inner(rows.ranks.mine + 1)),
        numbers_(std::make_unique_for_overwrite<double[]>(size())) {
    if (computed) std::fill_n(numbers_.get(), size(), 0.0);
  }
  std::int64_t first() const { return first_; }
  std::int64_t end() const { return end_; }
  std::int64_t columns() const { return columns_; }
  /// first() - 1 <= r <= end().
  double* row(std::int64_t r) { return &numbers_[static_cast<std::size_t>((r - first_ + 1) * columns_)]; }

private:
  std::size_t size() const { return static_cast<std::size_t>((end_ - first_ + 2) * columns_); }
  std::int64_t columns_;
  std::int64_t first_;
  std::int64_t end_;
  std::unique_ptr<double[]> numbers_;
};

/// Rows and columns are y and x, from 0 to 1.
class Poisson {
public:
  Poisson(PoissonSource source, std::int64_t lines) : source_(source), h_(1.0 / static_cast<double>(lines - 1)) {}

  /// Zero inside; u = 1 - x - y + 2 x y on the boundary, or zero there, too.
  void initialise(Strip& strip) const {
    if (source_ == PoissonSource::sine) return;
    const auto last = strip.columns() - 1;
    for (auto r = strip.first() - 1; r <= strip.end(); ++r) {
      const double y = h_ * static_cast<double>(r);
      double* const row = strip.row(r);
      row[0] = 1 - y;
      row[last] = y;
      if (r != 0 && r != last) continue;
      for (std::int64_t c = 1; c < last; ++c) {
        const double x = h_ * static_cast<double>(c);
        row[c] = r == 0 ? 1 - x : x;
      }
    }
  }
  /// Computes row r of `next`, which is `last` in the Gauss-Seidel method. Returns the largest change.
  double relax(Strip& last, Strip& next, std::int64_t r) const {
    using std::numbers::pi;
    const double y = pi * h_ * static_cast<double>(r);
    const double source = source_ == PoissonSource::sine ? 0.5 * pi * pi * h_ * h_ * std::sin(y) : 0;
    const double* const above = last.row(r - 1);
    const double* const below = last.row(r + 1);
    const double* const here = last.row(r);
    double* const there = next.row(r);
    double largest = 0;
    for (std::int64_t c = 1; c < last.columns() - 1; ++c) {
      double value = 0.25 * (above[c] + here[c - 1] + here[c + 1] + below[c]);
      if (source != 0) value += source * std::sin(pi * h_ * static_cast<double>(c));
      largest = std::max(largest, std::abs(value - here[c]));
      there[c] = value;
    }
    return largest;
  }

private:
  PoissonSource source_;
  double h_;
};

} // namespace hypermon::workloads
