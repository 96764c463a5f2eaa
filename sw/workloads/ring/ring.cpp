// SPDX-License-Identifier: BSD-3-Clause
// Ring: blocks of numbers travel around a ring of all ranks, as in a systolic computation of all pairs. In each step a
// node adds its current block to its sums, passes the block to the right and receives one from the left.
//
// Number i of rank r's own block is r * numbers + i. Answer file: a .npy of 64-bit integers with a row for each rank:
// its last block, then its sums.
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/collect.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/ring/params.hpp"
#include <numeric>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;
using Numbers = std::vector<std::int64_t>;

Numbers shift(const Numbers& block, Ranks ranks) {
  if (ranks.count == 1) return block;
  Numbers next(block.size());
  const auto count = static_cast<int>(block.size());
  MPI_Sendrecv(block.data(), count, MPI_INT64_T, (ranks.mine + 1) % ranks.count, 0, next.data(), count, MPI_INT64_T,
               (ranks.mine + ranks.count - 1) % ranks.count, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return next;
}

int run(const Arguments<RingParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  Numbers block(static_cast<std::size_t>(p.numbers));
  std::iota(block.begin(), block.end(), ranks.mine * p.numbers);
  Numbers sums(block.size());
  for (std::int64_t step = 0; step < p.steps; ++step) {
    for (std::size_t i = 0; i < block.size(); ++i) sums[i] += block[i];
    hypermon_charge(static_cast<double>(p.numbers), p.number_ns);
    block = shift(block, ranks);
  }
  measure(false); // the answer is not part of the measured program
  if (arguments.output.empty()) return 0;
  block.insert(block.end(), sums.begin(), sums.end());
  const auto row = 2 * p.numbers;
  return write_rows(
             ranks, arguments.output, "<i8", block, [&](int) { return row; }, row)
             ? 0
             : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<RingParams>(argc, argv, run); }
