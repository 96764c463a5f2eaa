// SPDX-License-Identifier: BSD-3-Clause
// The grid: columns of nodes with the contributions of particles, and their interpolation at particles.
//
// The order of sums does not depend on the number of ranks: a node has a sum over the particles on its left and one
// over those on its right, each in the order of particle numbers, and the two are added.
#pragma once
#include "sw/workloads/phases/particles.hpp"

namespace hypermon::workloads {

/// A particle's position in its cell, and the weights of the cell's four corners (bilinear).
struct Corners {
  std::int64_t column; // column of cells, from the rank's first one on
  std::int64_t row;
  double fx, fy;

  double weight(int right, int up) const { return (right ? fx : 1 - fx) * (up ? fy : 1 - fy); }
  double along_x(int right, int up) const { return (right ? 1 : -1) * (up ? fy : 1 - fy); }
  double along_y(int right, int up) const { return (right ? fx : 1 - fx) * (up ? 1 : -1); }
};

/// `width` numbers at each node of the rank's columns of cells. There is one column of nodes more than columns of
/// cells. The grid is periodic in both directions.
class Nodes {
public:
  Nodes(const Deal& deal, std::size_t width)
      : deal_(deal), width_(width), rows_(static_cast<std::size_t>(deal.p.rows)),
        columns_(static_cast<std::size_t>(deal.first_column(deal.ranks.mine + 1) - deal.first_column(deal.ranks.mine))),
        from_right_((columns_ + 1) * line()), from_left_((columns_ + 1) * line()) {}

  std::size_t width() const { return width_; }
  /// Adds a number to one of a particle's corners.
  void add(const Corners& at, int right, int up, std::size_t which, double number) {
    (right ? from_left_ : from_right_)[place(at, right, up, which)] += number;
  }
  /// Call after all add() calls: adds the contributions of the neighbours' particles to the first and the last column
  /// of nodes.
  void sum() {
    const int left = (deal_.ranks.mine + deal_.ranks.count - 1) % deal_.ranks.count;
    const int right = (deal_.ranks.mine + 1) % deal_.ranks.count;
    double* const last = &from_left_[columns_ * line()]; // for the right neighbour's first column
    const auto numbers = static_cast<int>(line());
    MPI_Sendrecv(last, numbers, MPI_DOUBLE, right, 2, from_left_.data(), numbers, MPI_DOUBLE, left, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(from_right_.data(), numbers, MPI_DOUBLE, left, 3, &from_right_[columns_ * line()], numbers, MPI_DOUBLE,
                 right, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < from_left_.size(); ++i) from_left_[i] += from_right_[i];
  }
  /// Valid after sum().
  double at(const Corners& c, int right, int up, std::size_t which) const {
    return from_left_[place(c, right, up, which)];
  }
  /// Weighted mean over a particle's corners.
  double interpolated(const Corners& c, std::size_t which) const {
    return over_corners([&](int right, int up) { return c.weight(right, up) * at(c, right, up, which); });
  }
  template <class F> static double over_corners(F&& f) { return (f(0, 0) + f(0, 1)) + (f(1, 0) + f(1, 1)); }
  /// Calls f(m, o) for each node of the grid with a mass. m and o are its numbers in `masses` and in `other`; its mass
  /// is m[0].
  template <class One, class Other, class F> static void each(One& masses, Other& other, F&& f) {
    for (std::size_t n = 0; n < (masses.columns_ + 1) * masses.rows_; ++n)
      if (masses.from_left_[n * masses.width_] > 0)
        f(&masses.from_left_[n * masses.width_], &other.from_left_[n * other.width_]);
  }

private:
  std::size_t line() const { return rows_ * width_; }
  std::size_t place(const Corners& c, int right, int up, std::size_t which) const {
    const auto column = static_cast<std::size_t>(c.column + right);
    const std::size_t row = (static_cast<std::size_t>(c.row) + static_cast<std::size_t>(up)) % rows_;
    return (column * rows_ + row) * width_ + which;
  }

  const Deal& deal_;
  std::size_t width_;
  std::size_t rows_;
  std::size_t columns_; // columns of cells
  std::vector<double> from_right_;
  std::vector<double> from_left_; // after sum(): the total
};

} // namespace hypermon::workloads
