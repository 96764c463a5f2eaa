// SPDX-License-Identifier: BSD-3-Clause
// What the private copy of a program's object is changed in before it is loaded (RankProgram).
#pragma once
#include <cstddef>
#include <cstdint>

namespace hypermon {

/// A program with a profiling tool of its own, whose MPI_Send calls PMPI_Send: makes the loader take the object's own
/// definitions before those of this executable. Leaves anything else as it is.
void bind_own_definitions_first(int file);

/// Makes the object's MPI_COMM_WORLD that of a neighbour (world_of(program)); of program 0 it stays SMPI's.
void bind_world(int file, std::size_t program);

/// Where the object has its destructor functions, as offsets: an array of them, and one more. 0: none.
struct Destructors {
  std::uint64_t array = 0;
  std::uint64_t bytes = 0;
  std::uint64_t last = 0;
};
/// Hides them from the loader, which would run them when no rank is left whose they are.
Destructors take_destructors(int file);

} // namespace hypermon
