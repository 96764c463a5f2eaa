// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/worlds.hpp"

#include <iterator>

// External names, by which the loader finds the variables in the executable.
extern "C" {
[[gnu::visibility("default")]] MPI_Comm MPI_COMM_WORL1;
[[gnu::visibility("default")]] MPI_Comm MPI_COMM_WORL2;
[[gnu::visibility("default")]] MPI_Comm MPI_COMM_WORL3;
[[gnu::visibility("default")]] MPI_Comm MPI_COMM_WORL4;
[[gnu::visibility("default")]] MPI_Comm MPI_COMM_WORL5;
[[gnu::visibility("default")]] MPI_Comm MPI_COMM_WORL6;
[[gnu::visibility("default")]] MPI_Comm MPI_COMM_WORL7;
[[gnu::visibility("default")]] MPI_Comm MPI_COMM_WORL8;
}

namespace hypermon {

MPI_Comm& world_of(std::size_t program) {
  MPI_Comm* const all[] = {&MPI_COMM_WORLD, &MPI_COMM_WORL1, &MPI_COMM_WORL2, &MPI_COMM_WORL3, &MPI_COMM_WORL4,
                           &MPI_COMM_WORL5, &MPI_COMM_WORL6, &MPI_COMM_WORL7, &MPI_COMM_WORL8};
  static_assert(std::size(all) == most_neighbours + 1);
  return *all[program];
}

std::string name_of_world(std::size_t program) {
  return program == 0 ? "MPI_COMM_WORLD" : "MPI_COMM_WORL" + std::to_string(program);
}

} // namespace hypermon
