// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a buffer of some datatype, by the datatype's map: every part of this executable that packs or unpacks
// data does it here, so that all agree.
#pragma once
#include "sw/mpiio/core/layout.hpp"

#include <smpi/smpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace hypermon {

/// The address that a buffer argument stands for: MPI_BOTTOM is address 0 (SMPI's constant is another number).
inline char* address_of(const void* buffer) {
  return buffer == MPI_BOTTOM ? nullptr : static_cast<char*>(const_cast<void*>(buffer));
}
/// The buffer argument for an address.
inline void* buffer_at(char* address) { return address == nullptr ? MPI_BOTTOM : static_cast<void*>(address); }

/// Writes the data of `count` elements at `data` to `to`, one byte after the other.
void pack(const mpiio::Layout& element, const void* data, std::int64_t count, char* to);
/// Writes `bytes` bytes of data to the places of the elements at `data`. The last element may be incomplete.
void unpack(const char* from, std::int64_t bytes, const mpiio::Layout& element, void* data);

/// Of `count` elements.
std::int64_t bytes_of(int count, MPI_Datatype type);
/// Copies between buffers of different types, as if by a message: MPI_ERR_TRUNCATE, if not all of it has room.
int copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type);

/// Where an element of the buffer is.
char* element(const void* buffer, std::int64_t n, MPI_Datatype type);

/// Room for elements of any type. at() is where MPI takes the buffer to begin.
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

/// Combines the data of `count` elements with those at `data`, each value of a basic type by itself.
void combine_elements(MPI_Datatype type, const char* from, void* data, int count, MPI_Op op);
/// The largest alignment of the basic types that it is made of, as compilers align them.
MPI_Aint alignment_of(MPI_Datatype type);

} // namespace hypermon
