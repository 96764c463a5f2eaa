// SPDX-License-Identifier: BSD-3-Clause
#include "sw/messages/packed.hpp"
#include "sw/mpi/buffers.hpp"
#include "sw/mpi/file_library.hpp"

#include <algorithm>

namespace hypermon::messages {

Bytes packed(const void* data, std::int64_t count, MPI_Datatype type) {
  const mpiio::LayoutPointer element = layout_of(type);
  Bytes to(static_cast<std::size_t>(count * element->size()));
  pack(*element, data, count, to.data());
  return to;
}

int unpack(const Bytes& from, void* data, std::int64_t count, MPI_Datatype type) {
  const mpiio::LayoutPointer element = layout_of(type);
  const auto bytes = static_cast<std::int64_t>(from.size());
  const std::int64_t room = count * element->size();
  hypermon::unpack(from.data(), std::min(bytes, room), *element, data);
  return bytes > room ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
}

} // namespace hypermon::messages
