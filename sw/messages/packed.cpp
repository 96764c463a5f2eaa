// SPDX-License-Identifier: BSD-3-Clause
#include "sw/messages/packed.hpp"
#include "sw/nx2/mpi_global_operations.hpp"

#include <algorithm>
#include <cstring>

namespace hypermon::messages {
namespace {

/// A type of MPI's own: its elements are as they are.
bool is_named(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  return PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
         combiner == MPI_COMBINER_NAMED;
}

bool is_dense(MPI_Datatype type, std::int64_t size) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return lower == 0 && extent == size && is_named(type);
}

/// MPI packs int bytes at most: calls part(first element, elements, first byte, bytes) for parts of no more.
template <class Part> void in_parts(std::int64_t count, std::int64_t size, Part&& part) {
  constexpr std::int64_t most = 1 << 30;
  const std::int64_t elements = std::max<std::int64_t>(1, most / std::max<std::int64_t>(size, 1));
  for (std::int64_t first = 0; first < count; first += elements) {
    const std::int64_t now = std::min(elements, count - first);
    part(first, static_cast<int>(now), first * size, static_cast<int>(now * size));
  }
}

} // namespace

Bytes packed(const void* data, std::int64_t count, MPI_Datatype type) {
  const std::int64_t size = bytes_of(1, type);
  Bytes to(static_cast<std::size_t>(count * size));
  if (to.empty()) return to;
  if (is_dense(type, size)) {
    std::memcpy(to.data(), data, to.size());
    return to;
  }
  in_parts(count, size, [&](std::int64_t element, int elements, std::int64_t at, int bytes) {
    int position = 0;
    PMPI_Pack(global_operations::element(data, element, type), elements, type, to.data() + at, bytes, &position,
              MPI_COMM_SELF);
  });
  return to;
}

int unpack(const Bytes& from, void* data, std::int64_t count, MPI_Datatype type) {
  const std::int64_t size = bytes_of(1, type);
  const auto bytes = static_cast<std::int64_t>(from.size());
  const std::int64_t elements = size == 0 ? 0 : std::min(count, bytes / size);
  const int status = count * size < bytes ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
  if (elements == 0) return status;
  if (is_dense(type, size)) {
    std::memcpy(data, from.data(), static_cast<std::size_t>(std::min(bytes, count * size)));
    return status;
  }
  in_parts(elements, size, [&](std::int64_t element, int now, std::int64_t at, int part) {
    int position = 0;
    PMPI_Unpack(from.data() + at, part, &position, global_operations::element(data, element, type), now, type,
                MPI_COMM_SELF);
  });
  return status;
}

} // namespace hypermon::messages
