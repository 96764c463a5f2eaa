// SPDX-License-Identifier: BSD-3-Clause
// Wavefront: symmetric successive over-relaxation for Poisson's equation in a box, pipelined over its planes as in the
// NAS benchmark LU. Every plane is split over a 2-D grid of processes. A forward sweep of a plane needs the new points
// of the neighbours above and to the left, a backward sweep those below and to the right. So a wave of work runs from
// corner to corner, plane after plane, with two small incoming and two outgoing messages for each plane.
//
// 6 u - (sum of the six neighbours) = f, u = 0 around the box, f is the seed's stream in the order plane, row, column.
// Answer file: u after the last iteration, a .npy of doubles: the rows of all planes, one below the other.
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/process_grid.hpp"
#include "sw/workloads/common/random.hpp"
#include "sw/workloads/wavefront/params.hpp"

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

class Box {
public:
  Box(const WavefrontParams& p, const ProcessGrid& grid, int rank, std::uint64_t seed)
      : p_(p), grid_(grid), block_(grid.block_of(rank, p.size)), stride_(block_.columns + 2),
        plane_(stride_ * (block_.rows + 2)), u_(static_cast<std::size_t>(plane_ * (p.planes + 2))), f_(u_.size()) {
    for (std::int64_t k = 0; k < p.planes; ++k)
      for (std::int64_t r = 0; r < block_.rows; ++r)
        for (std::int64_t c = 0; c < block_.columns; ++c)
          f_[at(k, r, c)] = SplitMix64::number(seed, (k * p.size + block_.top + r) * p.size + block_.left + c);
  }

  void forward() {
    for (std::int64_t k = 0; k < p_.planes; ++k) {
      receive(k, -1, 0);
      receive(k, 0, -1);
      for (std::int64_t r = 0; r < block_.rows; ++r)
        for (std::int64_t c = 0; c < block_.columns; ++c) relax(at(k, r, c));
      charge();
      send(k, 1, 0);
      send(k, 0, 1);
    }
  }
  void backward() {
    for (std::int64_t k = p_.planes - 1; k >= 0; --k) {
      receive(k, 1, 0);
      receive(k, 0, 1);
      for (std::int64_t r = block_.rows - 1; r >= 0; --r)
        for (std::int64_t c = block_.columns - 1; c >= 0; --c) relax(at(k, r, c));
      charge();
      send(k, -1, 0);
      send(k, 0, -1);
    }
  }
  std::vector<double> points() const {
    std::vector<double> all;
    for (std::int64_t k = 0; k < p_.planes; ++k)
      for (std::int64_t r = 0; r < block_.rows; ++r)
        for (std::int64_t c = 0; c < block_.columns; ++c) all.push_back(u_[at(k, r, c)]);
    return all;
  }

private:
  /// Planes, rows and columns count from -1: the layer around the block belongs to the neighbours, or is the box's
  /// edge.
  std::size_t at(std::int64_t k, std::int64_t r, std::int64_t c) const {
    return static_cast<std::size_t>((k + 1) * plane_ + (r + 1) * stride_ + c + 1);
  }
  void relax(std::size_t i) {
    const auto row = static_cast<std::size_t>(stride_);
    const auto plane = static_cast<std::size_t>(plane_);
    const double sum = u_[i - 1] + u_[i + 1] + u_[i - row] + u_[i + row] + u_[i - plane] + u_[i + plane];
    u_[i] += p_.omega * ((f_[i] + sum) / 6 - u_[i]);
  }
  void charge() const { hypermon_charge(static_cast<double>(block_.rows * block_.columns), p_.point_ns); }

  /// The plane's line at the side (down, right) that is `beyond` points outside the block.
  template <class Each> void each_point(std::int64_t k, int down, int right, int beyond, Each&& each) {
    const auto line = [beyond](int side, std::int64_t count) { return side < 0 ? -beyond : count - 1 + beyond; };
    if (down != 0)
      for (std::int64_t c = 0; c < block_.columns; ++c) each(u_[at(k, line(down, block_.rows), c)]);
    else
      for (std::int64_t r = 0; r < block_.rows; ++r) each(u_[at(k, r, line(right, block_.columns))]);
  }
  void receive(std::int64_t k, int down, int right) {
    const int from = grid_.neighbour(down, right);
    if (from == MPI_PROC_NULL) return;
    edge_.resize(static_cast<std::size_t>(down != 0 ? block_.columns : block_.rows));
    MPI_Recv(edge_.data(), static_cast<int>(edge_.size()), MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    each_point(k, down, right, 1, [in = edge_.begin()](double& point) mutable { point = *in++; });
  }
  void send(std::int64_t k, int down, int right) {
    const int to = grid_.neighbour(down, right);
    if (to == MPI_PROC_NULL) return;
    edge_.clear();
    each_point(k, down, right, 0, [this](double& point) { edge_.push_back(point); });
    MPI_Send(edge_.data(), static_cast<int>(edge_.size()), MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
  }

  const WavefrontParams& p_;
  const ProcessGrid& grid_;
  Block block_;
  std::int64_t stride_; // distance from row to row
  std::int64_t plane_;  // distance from plane to plane
  std::vector<double> u_;
  std::vector<double> f_;
  std::vector<double> edge_;
};

bool write_answer(const Box& box, const ProcessGrid& grid, Ranks ranks, const WavefrontParams& p,
                  const std::string& path) {
  std::vector<double> all(static_cast<std::size_t>(ranks.mine == 0 ? p.planes * p.size * p.size : 0));
  collect(
      ranks, box.points(),
      [&](int rank) {
        const Block b = grid.block_of(rank, p.size);
        return p.planes * b.rows * b.columns;
      },
      [&](int rank, const std::vector<double>& part) {
        const Block b = grid.block_of(rank, p.size);
        for (std::int64_t line = 0; line < p.planes * b.rows; ++line) {
          const auto row = line / b.rows * p.size + b.top + line % b.rows;
          std::copy_n(&part[static_cast<std::size_t>(line * b.columns)], b.columns,
                      &all[static_cast<std::size_t>(row * p.size + b.left)]);
        }
      });
  return ranks.mine != 0 || write_npy(path, "<f8", sizeof(double), all.data(), p.planes * p.size, p.size);
}

int run(const Arguments<WavefrontParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  const ProcessGrid grid(ranks);
  if (grid.columns() > p.size)
    return refuse(ranks, "--size=" + std::to_string(p.size) + ": must be at least " + std::to_string(grid.columns()) +
                             ", a point for every column of the grid of ranks");
  Box box(p, grid, ranks.mine, arguments.seed);
  for (std::int64_t i = 0; i < p.iterations; ++i) {
    box.forward();
    box.backward();
  }
  measure(false); // the answer is not part of the measured program
  const bool written = arguments.output.empty() || write_answer(box, grid, ranks, p, arguments.output);
  return written ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<WavefrontParams>(argc, argv, run); }
