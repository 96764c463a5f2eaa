// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/blocks.hpp"

namespace hypermon {

Blocks equal_blocks(int size, const void* buffer, int count, MPI_Datatype type) {
  Blocks b;
  for (int r = 0; r < size; ++r) b.add(element(buffer, static_cast<std::int64_t>(count) * r, type), count, type);
  return b;
}

Blocks own_blocks(int size, const void* buffer, const int* counts, const int* at, MPI_Datatype type) {
  Blocks b;
  for (int r = 0; r < size; ++r) b.add(element(buffer, at[r], type), counts[r], type);
  return b;
}

Blocks own_types(int size, const void* buffer, const int* counts, const int* at, const MPI_Datatype* types) {
  Blocks b;
  for (int r = 0; r < size; ++r) b.add(element(buffer, at[r], MPI_BYTE), counts[r], types[r]);
  return b;
}

} // namespace hypermon
