// SPDX-License-Identifier: BSD-3-Clause
// LU's points and ranks: a cube in pencils. x and y are split over a grid of ranks as in NPB, z is not split.
#pragma once
#include "sw/workloads/common/program.hpp"
#include <array>
#include <bit>
#include <string>

namespace hypermon::workloads::lu {

inline constexpr int variables = 5;

/// x grows from north to south, y from west to east.
enum class Side { north, south, west, east };
inline constexpr std::array<Side, 4> sides{Side::north, Side::south, Side::west, Side::east};
constexpr bool along_x(Side side) { return side == Side::north || side == Side::south; }

/// A rank's part of a direction: points first to first + count - 1 of `points`. The first and the last of all points
/// are boundary.
struct Extent {
  int points;
  int first;
  int count;
  /// Local numbers of the points that are not boundary.
  int begin() const { return first == 0 ? 1 : 0; }
  int end() const { return first + count == points ? count - 1 : count; }
  int inner() const { return end() - begin(); }
};

class Pencil {
public:
  /// The number of ranks is a power of two: 2^(2n) form a square, 2^(2n+1) have twice as many along x.
  Pencil(Ranks ranks, int points)
      : across_(1 << ((std::bit_width(static_cast<unsigned>(ranks.count))) / 2)), down_(ranks.count / across_),
        rank_(ranks.mine), z_(points), x_(extent(points, across_, rank_ % across_)),
        y_(extent(points, down_, rank_ / across_)) {}

  /// Reason why the ranks cannot share the points; empty if they can.
  static std::string refusal(int ranks, int points) {
    if (!std::has_single_bit(static_cast<unsigned>(ranks)))
      return "lu: runs on a power of two of ranks, not on " + std::to_string(ranks);
    const Pencil last(Ranks{ranks - 1, ranks}, points);
    if (last.x_.count >= least && last.y_.count >= least && points >= least) return {};
    return "--points=" + std::to_string(points) + ": must be at least " + std::to_string(least * last.across_) +
           ", four for each of " + std::to_string(last.across_) + " ranks in a row";
  }

  const Extent& x() const { return x_; }
  const Extent& y() const { return y_; }
  int z() const { return z_; }
  std::int64_t inner_of_plane() const { return std::int64_t{x_.inner()} * y_.inner(); }
  std::int64_t all() const { return std::int64_t{x_.count} * y_.count * z_; }

  /// MPI_PROC_NULL at the cube's boundary.
  int neighbour(Side side) const {
    switch (side) {
    case Side::north:
      return x_.first == 0 ? MPI_PROC_NULL : rank_ - 1;
    case Side::south:
      return x_.first + x_.count == x_.points ? MPI_PROC_NULL : rank_ + 1;
    case Side::west:
      return y_.first == 0 ? MPI_PROC_NULL : rank_ - across_;
    case Side::east:
      return y_.first + y_.count == y_.points ? MPI_PROC_NULL : rank_ + across_;
    }
    return MPI_PROC_NULL;
  }

private:
  static constexpr int least = 4; // NPB's range of the dissipation at a boundary
  /// The first points % parts parts have one point more.
  static Extent extent(int points, int parts, int part) {
    const int more = points % parts;
    return {points, part * (points / parts) + (part < more ? part : more), points / parts + (part < more ? 1 : 0)};
  }

  int across_; // ranks along x
  int down_;   // ranks along y
  int rank_;
  int z_;
  Extent x_;
  Extent y_;
};

} // namespace hypermon::workloads::lu
