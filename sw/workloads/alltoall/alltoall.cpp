// SPDX-License-Identifier: BSD-3-Clause
// All-to-all: every rank has a block of numbers for every rank, and the ranks exchange the blocks pair by pair.
//
// Number i of rank r's block for rank c is (r * ranks + c) * numbers + i at first. Each repetition adds one to the
// received numbers. Answer file: a .npy of 64-bit integers with a row for each rank, which has its blocks in the order
// of ranks. Blocks above largest_computed are not computed: the host stores them once for all ranks and copies none
// (SMPI's shared memory).
#include "sw/workloads/alltoall/params.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/pairwise.hpp"
#include <numeric>
#include <smpi/smpi.h>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;
using Numbers = std::vector<std::int64_t>;

void exchange(const std::int64_t* own, int to, std::int64_t* others, int from, std::int64_t numbers) {
  MPI_Sendrecv(own, static_cast<int>(numbers), MPI_INT64_T, to, 0, others, static_cast<int>(numbers), MPI_INT64_T, from,
               0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void exchange_all(const Numbers& blocks, Numbers& next, Ranks ranks, std::int64_t numbers) {
  const auto begin = [numbers](int rank) { return static_cast<std::size_t>(rank * numbers); };
  std::copy_n(&blocks[begin(ranks.mine)], numbers, &next[begin(ranks.mine)]);
  pairwise(ranks, [&](int to, int from) { exchange(&blocks[begin(to)], to, &next[begin(from)], from, numbers); });
}

/// Sends the same messages as exchange_all() and charges the same work, but handles no numbers.
void charge_all(const AlltoallParams& p, Ranks ranks) {
  const auto bytes = static_cast<std::size_t>(p.numbers) * sizeof(std::int64_t);
  auto* block = static_cast<std::int64_t*>(SMPI_SHARED_MALLOC(bytes));
  auto* next = static_cast<std::int64_t*>(SMPI_SHARED_MALLOC(bytes)); // MPI forbids receiving into the send buffer
  for (std::int64_t repeat = 0; repeat < p.repeats; ++repeat) {
    pairwise(ranks, [&](int to, int from) { exchange(block, to, next, from, p.numbers); });
    hypermon_charge(static_cast<double>(ranks.count * p.numbers), p.number_ns);
  }
  SMPI_SHARED_FREE(next);
  SMPI_SHARED_FREE(block);
}

int run(const Arguments<AlltoallParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  if (p.numbers > p.largest_computed) {
    charge_all(p, ranks);
    if (ranks.mine == 0) std::printf("alltoall: not computed, only charged\n");
    return 0;
  }
  const std::int64_t row = ranks.count * p.numbers;
  Numbers blocks(static_cast<std::size_t>(row));
  std::iota(blocks.begin(), blocks.end(), ranks.mine * row);
  Numbers next(blocks.size());
  for (std::int64_t repeat = 0; repeat < p.repeats; ++repeat) {
    exchange_all(blocks, next, ranks, p.numbers);
    for (auto& number : next) ++number;
    hypermon_charge(static_cast<double>(row), p.number_ns);
    std::swap(blocks, next);
  }
  measure(false); // the answer is not part of the measured program
  if (arguments.output.empty()) return 0;
  return write_rows(
             ranks, arguments.output, "<i8", blocks, [&](int) { return row; }, row)
             ? 0
             : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<AlltoallParams>(argc, argv, run); }
