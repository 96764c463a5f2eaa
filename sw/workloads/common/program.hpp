// SPDX-License-Identifier: BSD-3-Clause
// Common code of programs that run on nodes only: arguments, begin and end of MPI.
#pragma once
#include "sw/workloads/common/arguments.hpp"
#include <mpi.h>

namespace hypermon::workloads {

struct Ranks {
  int mine;
  int count;
};

/// Refuses to run with this number of ranks or these parameters. Prints the reason once.
inline int refuse(Ranks ranks, const std::string& why) {
  if (ranks.mine == 0) std::fprintf(stderr, "%s\n", why.c_str());
  return bad_arguments;
}

/// main() of a program with the work run(arguments, ranks). Returns the exit code.
template <class Params> int run_program(int argc, char** argv, int (*run)(const Arguments<Params>&, Ranks)) {
  Arguments<Params> arguments;
  if (!parse_arguments(argc, argv, arguments)) return bad_arguments;
  MPI_Init(&argc, &argv);
  Ranks ranks{};
  MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks.mine);
  const int status = run(arguments, ranks);
  MPI_Finalize();
  return status;
}

} // namespace hypermon::workloads
