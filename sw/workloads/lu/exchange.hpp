// SPDX-License-Identifier: BSD-3-Clause
// LU's messages: lines of a plane between its kernels (NPB's exchange_1), and two planes of u on each side before the
// right-hand side (exchange_3). Calls, their order and sizes are those of NPB, even if nothing is computed.
#pragma once
#include "sw/workloads/lu/equation.hpp"
#include "sw/workloads/lu/routine.hpp"

namespace hypermon::workloads::lu {

class Exchange {
public:
  explicit Exchange(const Pencil& pencil) : pencil_(pencil) {
    const auto lines = static_cast<std::size_t>(std::max(pencil.x().count, pencil.y().count));
    out_.resize(2 * lines * static_cast<std::size_t>(pencil.z()));
    in_.resize(out_.size());
  }

  /// Receives the lines of plane k beyond these two sides of the rank.
  void receive_lines(Cube& v, int k, Side first, Side second) {
    const Routine routine("exchange_1");
    for (const Side side : {first, second}) {
      const int from = pencil_.neighbour(side);
      if (from == MPI_PROC_NULL) continue;
      const Extent& line = across(side);
      MPI_Recv(in_.data(), numbers(line.inner()), MPI_DOUBLE, from, tag(side), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (!v.computed()) continue;
      auto each = in_.begin();
      for (int at = line.begin(); at < line.end(); ++at) point(v, side, 1, at, k) = *each++;
    }
  }
  /// Sends the rank's own lines of plane k at these sides.
  void send_lines(Cube& v, int k, Side first, Side second) {
    const Routine routine("exchange_1");
    for (const Side side : {first, second}) {
      const int to = pencil_.neighbour(side);
      if (to == MPI_PROC_NULL) continue;
      const Extent& line = across(side);
      if (v.computed()) {
        auto each = out_.begin();
        for (int at = line.begin(); at < line.end(); ++at) *each++ = point(v, side, 0, at, k);
      }
      MPI_Send(out_.data(), numbers(line.inner()), MPI_DOUBLE, to, tag(opposite(side)), MPI_COMM_WORLD);
    }
  }
  /// Exchanges two layers beyond both sides in x (north and south), or in y (west and east).
  void layers(Cube& u, Side low, Side high) {
    const Routine routine("exchange_3");
    shift(u, low, high);
    shift(u, high, low);
  }

private:
  /// Tag for the side of the receiver from which a message comes.
  static int tag(Side side) { return 1 + static_cast<int>(side); }
  static Side opposite(Side side) {
    switch (side) {
    case Side::north:
      return Side::south;
    case Side::south:
      return Side::north;
    case Side::west:
      return Side::east;
    case Side::east:
      return Side::west;
    }
    return side;
  }
  static int numbers(std::int64_t points) { return static_cast<int>(variables * points); }
  const Extent& across(Side side) const { return along_x(side) ? pencil_.y() : pencil_.x(); }
  /// A point of the line that is `beyond` points outside the rank on that side; 0: its own outermost line, -1: the next
  /// inner one.
  Vector& point(Cube& v, Side side, int beyond, int at, int k) const {
    const Extent& extent = along_x(side) ? pencil_.x() : pencil_.y();
    const bool low = side == Side::north || side == Side::west;
    const int line = low ? -beyond : extent.count - 1 + beyond;
    return along_x(side) ? v.at(line, at, k) : v.at(at, line, k);
  }
  template <class Each> void each_of_layers(Cube& u, Side side, std::array<int, 2> beyond, Each&& each) {
    for (const int layer : beyond)
      for (int k = 0; k < pencil_.z(); ++k)
        for (int at = 0; at < across(side).count; ++at) each(point(u, side, layer, at, k));
  }

  /// All ranks send their layers to the neighbour at side `to`, and receive the layers beyond `from`.
  void shift(Cube& u, Side from, Side to) {
    const int source = pencil_.neighbour(from);
    const int target = pencil_.neighbour(to);
    const int count = numbers(2LL * across(from).count * pencil_.z());
    MPI_Request request = MPI_REQUEST_NULL;
    if (source != MPI_PROC_NULL) MPI_Irecv(in_.data(), count, MPI_DOUBLE, source, tag(from), MPI_COMM_WORLD, &request);
    if (target != MPI_PROC_NULL) {
      if (u.computed()) {
        auto each = out_.begin();
        each_of_layers(u, to, {0, -1}, [&](const Vector& own) { *each++ = own; });
      }
      MPI_Send(out_.data(), count, MPI_DOUBLE, target, tag(from), MPI_COMM_WORLD);
    }
    if (source == MPI_PROC_NULL) return;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!u.computed()) return;
    auto each = in_.begin();
    each_of_layers(u, from, {1, 2}, [&](Vector& beyond) { beyond = *each++; });
  }

  const Pencil& pencil_;
  std::vector<Vector> out_;
  std::vector<Vector> in_;
};

} // namespace hypermon::workloads::lu
