// SPDX-License-Identifier: BSD-3-Clause
// Phases with the power profile of HPC Challenge: every process multiplies its own matrices, all processes transpose a
// common matrix, and at the end rank 0 broadcasts. Answer: the sum of all numbers, on rank 0's standard output. It is
// the same for any number of phases, because the multiplication is a permutation.
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/program.hpp"
#include "sw/workloads/hpcc/params.hpp"
#include <cstdio>
#include <numeric>
#include <smpi/smpi.h>
#include <vector>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;
using Numbers = std::vector<double>;

/// Multiplies by the cyclic permutation matrix, row by row: n^3 multiply-adds are charged, and n^2 numbers are moved.
void multiply(Numbers& matrix, std::int64_t n, double multiply_add_ns) {
  for (std::int64_t row = 0; row < n; ++row) {
    double* const begin = matrix.data() + row * n;
    const double first = begin[0];
    std::copy(begin + 1, begin + n, begin);
    begin[n - 1] = first;
  }
  hypermon_charge(static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n), multiply_add_ns);
}

/// Every rank sends each other rank its share of the rows.
void transpose(Numbers& matrix, Numbers& other, Ranks ranks) {
  const auto share = static_cast<int>(matrix.size() / static_cast<std::size_t>(ranks.count));
  std::copy(matrix.begin(), matrix.end(), other.begin()); // numbers that cannot be divided among the ranks stay
  MPI_Alltoall(matrix.data(), share, MPI_DOUBLE, other.data(), share, MPI_DOUBLE, MPI_COMM_WORLD);
  std::swap(matrix, other);
}

int run(const Arguments<HpccParams>& arguments, Ranks ranks) {
  const HpccParams& p = arguments.params;
  Numbers matrix(static_cast<std::size_t>(p.size * p.size));
  std::iota(matrix.begin(), matrix.end(), static_cast<double>(ranks.mine));
  Numbers other(matrix.size());
  for (std::int64_t phase = 0; phase < p.phases; ++phase) {
    multiply(matrix, p.size, p.multiply_add_ns.number);
    transpose(matrix, other, ranks);
  }
  const auto bytes = static_cast<int>(p.broadcast_mib * (1 << 20));
  if (bytes > 0) {
    // The data are not read, so the host stores them once for all ranks.
    void* const data = SMPI_SHARED_MALLOC(static_cast<std::size_t>(bytes));
    MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    SMPI_SHARED_FREE(data);
  }
  measure(false); // the answer is not part of the measured program
  const double own = std::accumulate(matrix.begin(), matrix.end(), 0.0);
  double all = 0;
  MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (ranks.mine == 0) std::printf("hpcc: sum %.17g\n", all);
  return 0;
}
} // namespace

int main(int argc, char** argv) { return run_program<HpccParams>(argc, argv, run); }
