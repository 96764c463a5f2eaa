// SPDX-License-Identifier: BSD-3-Clause
// Copies the bytes of a buffer according to the map of its datatype. All code of this executable that packs or unpacks
// data uses these functions, so that the results agree.
#pragma once
#include "sw/mpiio/core/layout.hpp"

#include <smpi/smpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace hypermon {

/// The address that a buffer argument means: MPI_BOTTOM is address 0 (SMPI's constant is another number).
inline char* address_of(const void* buffer) {
  return buffer == MPI_BOTTOM ? nullptr : static_cast<char*>(const_cast<void*>(buffer));
}
/// The buffer argument for an address.
inline void* buffer_at(char* address) { return address == nullptr ? MPI_BOTTOM : static_cast<void*>(address); }

/// Writes the data of `count` elements at `data` to `to`, one byte after the other.
void pack(const mpiio::Layout& element, const void* data, std::int64_t count, char* to);
/// Writes `bytes` bytes of data to the places of the elements at `data`. The last element may be incomplete.
void unpack(const char* from, std::int64_t bytes, const mpiio::Layout& element, void* data);

/// Size of the data of `count` elements.
std::int64_t bytes_of(int count, MPI_Datatype type);
/// Copies between buffers of different types like a message does. Returns MPI_ERR_TRUNCATE if the data do not fit.
int copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type);

/// Address of the n-th element of the buffer.
char* element(const void* buffer, std::int64_t n, MPI_Datatype type);

/// Memory for elements of any type. at() is the buffer argument for MPI, which differs from the memory's begin if the
/// type has a lower bound.
class ElementBuffer {
public:
  ElementBuffer(int count, MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint length = 0;
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_true_extent(type, &lower, &length);
    PMPI_Type_get_extent(type, &lower_bound, &extent);
    if (count > 0) room_.resize(static_cast<std::size_t>(length + std::abs(extent) * (count - 1)));
    begin_ = room_.data() - lower - std::min<MPI_Aint>(extent * (count - 1), 0);
  }
  void* at() { return begin_; }

private:
  std::vector<char> room_;
  char* begin_;
};

/// Applies `op` to `count` elements at `from` and those at `data`, separately for each value of a basic type.
void combine_elements(MPI_Datatype type, const char* from, void* data, int count, MPI_Op op);
/// Largest alignment of the basic types in the datatype, as compilers align them.
MPI_Aint alignment_of(MPI_Datatype type);

} // namespace hypermon
