// SPDX-License-Identifier: BSD-3-Clause
// Changes to the private copy of a program's object before it is loaded (RankProgram).
#pragma once
#include <cstddef>
#include <cstdint>

namespace hypermon {

/// For a program with its own profiling tool, whose MPI_Send calls PMPI_Send: makes the loader prefer the object's own
/// definitions to those of this executable. Other objects are not changed.
void bind_own_definitions_first(int file);

/// Binds the object's MPI_COMM_WORLD to that of a neighbour (world_of(program)); program 0 keeps SMPI's.
void bind_world(int file, std::size_t program);

/// Location of the object's destructor functions, as offsets: an array, and a single function. 0: none.
struct Destructors {
  std::uint64_t array = 0;
  std::uint64_t bytes = 0;
  std::uint64_t last = 0;
};
/// Hides the destructors from the loader, which would run them when the ranks have ended.
Destructors take_destructors(int file);

} // namespace hypermon
