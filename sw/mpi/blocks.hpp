// SPDX-License-Identifier: BSD-3-Clause
// Buffers of collective calls that hold a block for each rank.
#pragma once
#include "sw/mpi/buffers.hpp"

#include <smpi/smpi.h>

#include <vector>

namespace hypermon {

/// A buffer with one block for each rank of a communicator.
struct Blocks {
  std::vector<int> counts;
  std::vector<char*> at;
  std::vector<MPI_Datatype> types;

  void* block(int rank) const { return at[static_cast<std::size_t>(rank)]; }
  int count(int rank) const { return counts[static_cast<std::size_t>(rank)]; }
  MPI_Datatype type(int rank) const { return types[static_cast<std::size_t>(rank)]; }
  int bytes(int rank) const { return static_cast<int>(bytes_of(count(rank), type(rank))); }
  void add(char* block, int count, MPI_Datatype type) {
    at.push_back(block);
    counts.push_back(count);
    types.push_back(type);
  }
};

/// For `size` ranks: blocks of equal size, blocks with their own counts and displacements in elements, or blocks with
/// their own types and displacements in bytes.
Blocks equal_blocks(int size, const void* buffer, int count, MPI_Datatype type);
Blocks own_blocks(int size, const void* buffer, const int* counts, const int* at, MPI_Datatype type);
Blocks own_types(int size, const void* buffer, const int* counts, const int* at, const MPI_Datatype* types);

} // namespace hypermon
