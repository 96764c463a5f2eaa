// SPDX-License-Identifier: BSD-3-Clause
// The synthetic benchmark of HYPERMON sec. 5.1: the active nodes emit 4-byte events back to back, as fast as the
// monitor allows, without computing or sending messages. There is no answer file.
#include "sw/workloads/common/arguments.hpp"
#include "sw/workloads/generator/params.hpp"
#include <hypermon.h>
#include <mpi.h>

using namespace hypermon;
using namespace hypermon::workloads;

int main(int argc, char** argv) {
  Arguments<GeneratorParams> arguments;
  if (!parse_arguments(argc, argv, arguments)) return bad_arguments;
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < arguments.params.active)
    for (std::int64_t i = 0; i < arguments.params.events; ++i) hypermon_mark(static_cast<unsigned char>(i));
  MPI_Finalize();
  return 0;
}
