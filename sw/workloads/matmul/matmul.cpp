// SPDX-License-Identifier: BSD-3-Clause
// MatMul: C = A B (HYPERMON Table 1, "a simple distributed memory matrix multiplication code").
//
// The last rank is the host: it makes A and B, sends each node its rows of A and all of B, and receives C. The other
// ranks are the nodes: they compute without communication and then return their rows in a few long messages (sec.
// 5.2.2: "execute independently until returning their partial results to the host").
//
// Answer file: C, a .npy of doubles.
#include "sw/workloads/common/answer.hpp"
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/common/charge.hpp"
#include "sw/workloads/common/distribution.hpp"
#include "sw/workloads/common/measured_section.hpp"
#include "sw/workloads/common/random.hpp"
#include "sw/workloads/matmul/params.hpp"
#include <algorithm>
#include <mpi.h>
#include <vector>

namespace {
using namespace hypermon;
using namespace hypermon::workloads;
using Matrix = std::vector<double>;

enum Tag { operand_a, operand_b, result };

/// Entries in [-1, 1): number i of the stream is entry i in row order.
Matrix random_matrix(std::int64_t size, std::uint64_t seed) {
  SplitMix64 random(seed);
  Matrix m(static_cast<std::size_t>(size * size));
  std::generate(m.begin(), m.end(), [&] { return 2 * random.uniform() - 1; });
  return m;
}

struct Rows {
  std::int64_t begin;
  std::int64_t count;
};

Rows rows_of_node(std::int64_t size, int nodes, int node) {
  const auto begin = block_begin(size, nodes, node);
  return {begin, block_begin(size, nodes, node + 1) - begin};
}

/// The part of `rows` that message `block` returns.
Rows result_block(Rows rows, std::int64_t blocks, std::int64_t block) {
  const auto begin = block_begin(rows.count, blocks, block);
  return {rows.begin + begin, block_begin(rows.count, blocks, block + 1) - begin};
}

int run_host(const Arguments<MatmulParams>& arguments, int nodes) {
  const auto& p = arguments.params;
  const Matrix a = random_matrix(p.size, stream_seed(arguments.seed, 0));
  const Matrix b = random_matrix(p.size, stream_seed(arguments.seed, 1));
  for (int node = 0; node < nodes; ++node) {
    const Rows rows = rows_of_node(p.size, nodes, node);
    MPI_Send(&a[static_cast<std::size_t>(rows.begin * p.size)], static_cast<int>(rows.count * p.size), MPI_DOUBLE, node,
             operand_a, MPI_COMM_WORLD);
    MPI_Send(b.data(), static_cast<int>(b.size()), MPI_DOUBLE, node, operand_b, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);

  Matrix c(a.size());
  for (int node = 0; node < nodes; ++node) {
    const Rows rows = rows_of_node(p.size, nodes, node);
    const auto blocks = std::min(p.result_blocks, rows.count);
    for (std::int64_t i = 0; i < blocks; ++i) {
      const Rows part = result_block(rows, blocks, i);
      MPI_Recv(&c[static_cast<std::size_t>(part.begin * p.size)], static_cast<int>(part.count * p.size), MPI_DOUBLE,
               node, result, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  const bool written =
      arguments.output.empty() || write_npy(arguments.output, "<f8", sizeof(double), c.data(), p.size, p.size);
  return written ? 0 : cannot_write;
}

void multiply_row(const double* a, const Matrix& b, double* c, std::int64_t size) {
  std::fill_n(c, size, 0.0);
  for (std::int64_t k = 0; k < size; ++k)
    for (std::int64_t j = 0; j < size; ++j) c[j] += a[k] * b[static_cast<std::size_t>(k * size + j)];
}

void run_node(const MatmulParams& p, int nodes, int node) {
  const int host = nodes;
  const Rows rows = rows_of_node(p.size, nodes, node);
  Matrix a(static_cast<std::size_t>(rows.count * p.size));
  Matrix b(static_cast<std::size_t>(p.size * p.size));
  MPI_Recv(a.data(), static_cast<int>(a.size()), MPI_DOUBLE, host, operand_a, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(b.data(), static_cast<int>(b.size()), MPI_DOUBLE, host, operand_b, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);

  // Table 2's times start here: 244.90 s / n + 0.733 s leave no time for sending the operands (1.5 s at 715 KB/s).
  measure(true);
  Matrix c(a.size());
  const double start = MPI_Wtime();
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const auto row = static_cast<std::size_t>(i * p.size);
    multiply_row(&a[row], b, &c[row], p.size);
    hypermon_charge(static_cast<double>(p.size * p.size), p.multiply_add_ns);
  }
  const double compute_s = MPI_Wtime() - start;
  const auto blocks = std::min(p.result_blocks, rows.count);
  for (std::int64_t i = 0; i < blocks; ++i) {
    const Rows part = result_block(rows, blocks, i);
    MPI_Send(&c[static_cast<std::size_t>((part.begin - rows.begin) * p.size)], static_cast<int>(part.count * p.size),
             MPI_DOUBLE, host, result, MPI_COMM_WORLD);
  }
  if (node == 0) std::printf("matmul: node 0 computed for %.3f s\n", compute_s);
}
} // namespace

int main(int argc, char** argv) {
  Arguments<MatmulParams> arguments;
  if (!parse_arguments(argc, argv, arguments)) return bad_arguments;
  MPI_Init(&argc, &argv);
  measure(false);
  int ranks = 0;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int nodes = ranks - 1;
  int status = 0;
  if (nodes < 1) {
    std::fprintf(stderr, "matmul: needs a rank for the host besides the nodes\n");
    status = bad_arguments;
  } else if (rank == nodes) {
    status = run_host(arguments, nodes);
  } else {
    run_node(arguments.params, nodes, rank);
  }
  MPI_Finalize();
  return status;
}
