// SPDX-License-Identifier: BSD-3-Clause
// Broadcast: one rank sends an array to all others with MPI_Bcast, once or several times.
//
// The array differs in each round, so that lost, changed or outdated bytes are detected.
//
// Answer file: a .npy of doubles with the number of wrong bytes of each rank.
#include "sw/workloads/broadcast/params.hpp"
#include "sw/workloads/common/answer.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/program.hpp"
#include <vector>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;

std::uint8_t byte_of(std::size_t at, std::int64_t round) {
  return static_cast<std::uint8_t>(at * 31 + (at >> 8) + static_cast<std::size_t>(round) * 7);
}

int run(const Arguments<BroadcastParams>& arguments, Ranks ranks) {
  const auto& p = arguments.params;
  if (p.root >= ranks.count) return refuse(ranks, "--root=" + std::to_string(p.root) + ": there is no such rank");
  const int root = static_cast<int>(p.root);
  std::vector<std::uint8_t> array(static_cast<std::size_t>(p.mib * 1048576.0));
  double wrong = 0;
  for (std::int64_t round = 0; round < p.repeats; ++round) {
    if (ranks.mine == root)
      for (std::size_t i = 0; i < array.size(); ++i) array[i] = byte_of(i, round);
    MPI_Bcast(array.data(), static_cast<int>(array.size()), MPI_BYTE, root, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < array.size(); ++i) wrong += array[i] == byte_of(i, round) ? 0 : 1;
  }
  measure(false); // the answer is not part of the measured program
  std::vector<double> all(static_cast<std::size_t>(ranks.count));
  MPI_Gather(&wrong, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (ranks.mine != 0 || arguments.output.empty()) return 0;
  return write_npy(arguments.output, "<f8", sizeof(double), all.data(), ranks.count, 1) ? 0 : cannot_write;
}
} // namespace

int main(int argc, char** argv) { return run_program<BroadcastParams>(argc, argv, run); }
