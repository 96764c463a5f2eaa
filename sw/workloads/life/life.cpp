// SPDX-License-Identifier: BSD-3-Clause
// Life: Conway's cellular automaton (HYPERMON Table 1), in strips of rows without wrap-around.
//
// In each generation a node sends its boundary row to each neighbour and receives the neighbour's. Even ranks send
// first and odd ranks receive first, so that long messages, which wait for their receiver, cannot deadlock. The work
// depends on the live cells (sec. 5.2.2: "a grid of cells whose sparsity changes over time").
//
// Answer file: the last generation, a .npy of bytes (1 live, 0 dead).
#include "sw/workloads/common/answer.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/distribution.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/life/life_grid.hpp"
#include "sw/workloads/life/params.hpp"
#include <mpi.h>
#include <utility>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

enum Tag { boundary, strip_of_answer };

/// Sends row `mine` and receives the neighbour's into row `theirs`.
void exchange(Grid& strip, Ranks ranks, int neighbour, std::int64_t mine, std::int64_t theirs) {
  if (neighbour < 0 || neighbour >= ranks.count) return;
  const auto cells = static_cast<int>(strip.columns());
  const auto send = [&] { MPI_Send(strip.row(mine), cells, MPI_BYTE, neighbour, boundary, MPI_COMM_WORLD); };
  const auto receive = [&] {
    MPI_Recv(strip.row(theirs), cells, MPI_BYTE, neighbour, boundary, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  if (ranks.mine % 2 == 0) {
    send();
    receive();
  } else {
    receive();
    send();
  }
}

void exchange_boundaries(Grid& strip, Ranks ranks) {
  const auto last = strip.rows() - 1;
  const auto up = [&] { exchange(strip, ranks, ranks.mine - 1, 0, -1); };
  const auto down = [&] { exchange(strip, ranks, ranks.mine + 1, last, last + 1); };
  // First the pairs (0,1), (2,3), ..., then (1,2), (3,4), ...: all pairs of a set communicate at once.
  if (ranks.mine % 2 == 0) {
    down();
    up();
  } else {
    up();
    down();
  }
}

void advance(Grid& strip, Grid& next, const LifeParams& p) {
  std::int64_t examined = 0;
  for (std::int64_t r = 0; r < strip.rows(); ++r) examined += advance_row(strip, next, r);
  hypermon_charge(static_cast<double>(strip.rows()), p.row_ns);
  hypermon_charge(static_cast<double>(examined), p.cell_ns);
  std::swap(strip, next);
}

/// Rank 0 collects the strips and writes them. Because that takes messages, it is only done if an answer is requested.
bool write_answer(const Grid& strip, Ranks ranks, std::int64_t size, const std::string& path) {
  std::vector<std::uint8_t> cells;
  for (std::int64_t r = 0; r < strip.rows(); ++r)
    cells.insert(cells.end(), strip.row(r), strip.row(r) + strip.columns());
  if (ranks.mine != 0) {
    MPI_Send(cells.data(), static_cast<int>(cells.size()), MPI_BYTE, 0, strip_of_answer, MPI_COMM_WORLD);
    return true;
  }
  cells.resize(static_cast<std::size_t>(size * size));
  for (int rank = 1; rank < ranks.count; ++rank) {
    const auto begin = block_begin(size, ranks.count, rank) * size;
    const auto end = block_begin(size, ranks.count, rank + 1) * size;
    MPI_Recv(&cells[static_cast<std::size_t>(begin)], static_cast<int>(end - begin), MPI_BYTE, rank, strip_of_answer,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return write_npy(path, "|u1", 1, cells.data(), size, size);
}

int run(const Arguments<LifeParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  if (ranks.count > p.size) {
    if (ranks.mine == 0) std::fprintf(stderr, "--size=%d: fewer rows than ranks\n", static_cast<int>(p.size));
    return bad_arguments;
  }
  const auto begin = block_begin(p.size, ranks.count, ranks.mine);
  const auto end = block_begin(p.size, ranks.count, ranks.mine + 1);
  // Every node makes the whole pattern and keeps its rows. That takes no messages and no time, because set-up is not
  // measured.
  const Grid pattern = initial_pattern(p, arguments.seed);
  Grid strip(end - begin, p.size);
  Grid next = strip;
  for (auto r = begin; r < end; ++r) std::copy_n(pattern.row(r), p.size, strip.row(r - begin));

  double start = 0;
  double elapsed = 0;
  for (std::int64_t g = 0; g < p.generations; ++g) {
    if (g % p.report_every == 0) start = MPI_Wtime();
    exchange_boundaries(strip, ranks);
    advance(strip, next, p);
    if ((g + 1) % p.report_every == 0) elapsed += MPI_Wtime() - start;
  }
  if (ranks.mine == 0) std::printf("life: %.3f s in %d generations\n", elapsed, static_cast<int>(p.generations));
  measure(false); // the answer is not part of the measured program
  const bool written = arguments.output.empty() || write_answer(strip, ranks, p.size, arguments.output);
  return written ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<LifeParams>(argc, argv, run); }
