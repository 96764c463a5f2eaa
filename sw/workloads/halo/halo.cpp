// SPDX-License-Identifier: BSD-3-Clause
// Halo: Jacobi sweeps for Laplace's equation on a square, divided into blocks of a 2-D grid of processes. In each sweep
// a node posts four receives, starts four sends (the edges of its block), waits for all eight and updates its points.
//
// A node stores only its block, and its work in a sweep does not grow with the number of nodes.
//
// Answer file: the points after the last sweep, a .npy of doubles.
#include "sw/workloads/common/answer.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/process_grid.hpp"
#include "sw/workloads/common/random.hpp"
#include "sw/workloads/halo/params.hpp"
#include <array>
#include <cmath>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

/// A block and the points around it.
class Field2d {
public:
  explicit Field2d(const Block& b)
      : rows_(b.rows), columns_(b.columns), points_(static_cast<std::size_t>((rows_ + 2) * (columns_ + 2))) {}
  /// -1 <= row <= rows, the same for columns.
  double& at(std::int64_t row, std::int64_t column) {
    return points_[static_cast<std::size_t>((row + 1) * (columns_ + 2) + column + 1)];
  }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

private:
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<double> points_;
};

/// One of the block's four edges: the neighbour beyond it, and the points received from it and sent to it.
struct Edge {
  int neighbour;
  bool is_row;
  std::int64_t inside;  // the block's own outermost row or column
  std::int64_t outside; // the neighbour's
  std::vector<double> out{};
  std::vector<double> in{};
};

double& point(Field2d& field, const Edge& edge, std::int64_t line, std::size_t i) {
  const auto along = static_cast<std::int64_t>(i);
  return edge.is_row ? field.at(line, along) : field.at(along, line);
}

std::array<Edge, 4> edges_of(const Field2d& field, const ProcessGrid& grid) {
  std::array<Edge, 4> edges{Edge{grid.neighbour(-1, 0), true, 0, -1},
                            Edge{grid.neighbour(1, 0), true, field.rows() - 1, field.rows()},
                            Edge{grid.neighbour(0, -1), false, 0, -1},
                            Edge{grid.neighbour(0, 1), false, field.columns() - 1, field.columns()}};
  for (Edge& e : edges) {
    e.out.resize(static_cast<std::size_t>(e.is_row ? field.columns() : field.rows()));
    e.in.resize(e.out.size());
  }
  return edges;
}

void exchange(Field2d& field, std::array<Edge, 4>& edges) {
  std::array<MPI_Request, 8> requests{};
  int open = 0;
  for (Edge& e : edges)
    if (e.neighbour != MPI_PROC_NULL)
      MPI_Irecv(e.in.data(), static_cast<int>(e.in.size()), MPI_DOUBLE, e.neighbour, 0, MPI_COMM_WORLD,
                &requests[static_cast<std::size_t>(open++)]);
  for (Edge& e : edges) {
    if (e.neighbour == MPI_PROC_NULL) continue;
    for (std::size_t i = 0; i < e.out.size(); ++i) e.out[i] = point(field, e, e.inside, i);
    MPI_Isend(e.out.data(), static_cast<int>(e.out.size()), MPI_DOUBLE, e.neighbour, 0, MPI_COMM_WORLD,
              &requests[static_cast<std::size_t>(open++)]);
  }
  MPI_Waitall(open, requests.data(), MPI_STATUSES_IGNORE);
  for (Edge& e : edges)
    if (e.neighbour != MPI_PROC_NULL)
      for (std::size_t i = 0; i < e.in.size(); ++i) point(field, e, e.outside, i) = e.in[i];
}

/// The sum of the squares of all changes.
double sweep(Field2d& field, Field2d& next) {
  double change = 0;
  for (std::int64_t r = 0; r < field.rows(); ++r)
    for (std::int64_t c = 0; c < field.columns(); ++c) {
      const double value = 0.25 * (field.at(r - 1, c) + field.at(r + 1, c) + field.at(r, c - 1) + field.at(r, c + 1));
      change += (value - field.at(r, c)) * (value - field.at(r, c));
      next.at(r, c) = value;
    }
  return change;
}

/// Inside: number row * size + column of the seed's stream. Around the square: 1 above, 0 elsewhere.
void initialise(Field2d& field, const Block& block, std::int64_t size, std::uint64_t seed) {
  for (std::int64_t r = 0; r < block.rows; ++r)
    for (std::int64_t c = 0; c < block.columns; ++c)
      field.at(r, c) = SplitMix64::number(seed, (block.top + r) * size + block.left + c);
  if (block.top == 0)
    for (std::int64_t c = 0; c < block.columns; ++c) field.at(-1, c) = 1;
}

bool write_answer(Field2d& field, const ProcessGrid& grid, Ranks ranks, std::int64_t size, const std::string& path) {
  std::vector<double> mine;
  for (std::int64_t r = 0; r < field.rows(); ++r)
    for (std::int64_t c = 0; c < field.columns(); ++c) mine.push_back(field.at(r, c));
  std::vector<double> all(static_cast<std::size_t>(ranks.mine == 0 ? size * size : 0));
  collect(
      ranks, mine,
      [&](int rank) {
        const Block b = grid.block_of(rank, size);
        return b.rows * b.columns;
      },
      [&](int rank, const std::vector<double>& part) {
        const Block b = grid.block_of(rank, size);
        for (std::int64_t r = 0; r < b.rows; ++r)
          std::copy_n(&part[static_cast<std::size_t>(r * b.columns)], b.columns,
                      &all[static_cast<std::size_t>((b.top + r) * size + b.left)]);
      });
  return ranks.mine != 0 || write_npy(path, "<f8", sizeof(double), all.data(), size, size);
}

int run(const Arguments<HaloParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  const ProcessGrid grid(ranks);
  if (grid.columns() > p.size)
    return refuse(ranks, "--size=" + std::to_string(p.size) + ": must be at least " + std::to_string(grid.columns()) +
                             ", a point for every column of the grid of ranks");
  const Block block = grid.block_of(ranks.mine, p.size);
  Field2d field(block);
  initialise(field, block, p.size, arguments.seed);
  Field2d next = field;
  auto edges = edges_of(field, grid);
  double norm = 0;
  for (std::int64_t i = 1; i <= p.iterations; ++i) {
    exchange(field, edges);
    const double change = sweep(field, next);
    hypermon_charge(static_cast<double>(block.rows * block.columns), p.point_ns);
    std::swap(field, next);
    if (p.norm_every != 0 && i % p.norm_every == 0)
      MPI_Allreduce(&change, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  if (ranks.mine == 0) std::printf("halo: last change %.6g\n", std::sqrt(norm));
  measure(false); // the answer is not part of the measured program
  const bool written = arguments.output.empty() || write_answer(field, grid, ranks, p.size, arguments.output);
  return written ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<HaloParams>(argc, argv, run); }
