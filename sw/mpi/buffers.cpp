// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/buffers.hpp"
#include "sw/mpi/file_library.hpp"

#include <algorithm>
#include <cstring>

namespace hypermon {
namespace {

bool is_dense(const mpiio::Layout& element) { return element.pieces() <= 1 && element.extent() == element.size(); }

} // namespace

void pack(const mpiio::Layout& element, const void* data, std::int64_t count, char* to) {
  const char* from = address_of(data);
  if (element.size() == 0 || count <= 0) return;
  if (is_dense(element)) {
    std::memcpy(to, from + element.front(), static_cast<std::size_t>(count * element.size()));
    return;
  }
  const std::vector<mpiio::Runs> all = element.runs();
  for (std::int64_t n = 0; n < count; ++n, from += element.extent())
    for (const mpiio::Runs& runs : all)
      for (std::int64_t k = 0; k < runs.count; ++k, to += runs.bytes)
        std::memcpy(to, from + runs.offset + k * runs.stride, static_cast<std::size_t>(runs.bytes));
}

void unpack(const char* from, std::int64_t bytes, const mpiio::Layout& element, void* data) {
  char* to = address_of(data);
  if (element.size() == 0 || bytes <= 0) return;
  if (is_dense(element)) {
    std::memcpy(to + element.front(), from, static_cast<std::size_t>(bytes));
    return;
  }
  const std::vector<mpiio::Runs> all = element.runs();
  for (; bytes > 0; to += element.extent())
    for (const mpiio::Runs& runs : all)
      for (std::int64_t k = 0; k < runs.count && bytes > 0; ++k) {
        const std::int64_t now = std::min(bytes, runs.bytes);
        std::memcpy(to + runs.offset + k * runs.stride, from, static_cast<std::size_t>(now));
        from += now;
        bytes -= now;
      }
}

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::int64_t>(count) * size;
}

int copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count, MPI_Datatype to_type) {
  const mpiio::LayoutPointer out = layout_of(from_type);
  const mpiio::LayoutPointer in = layout_of(to_type);
  const std::int64_t size = from_count * out->size();
  const std::int64_t room = to_count * in->size();
  if (size == 0) return MPI_SUCCESS;
  std::vector<char> packed(static_cast<std::size_t>(size));
  pack(*out, from, from_count, packed.data());
  unpack(packed.data(), std::min(size, room), *in, to);
  return room < size ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

char* element(const void* buffer, std::int64_t n, MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return static_cast<char*>(buffer_at(address_of(buffer) + n * extent));
}

} // namespace hypermon
