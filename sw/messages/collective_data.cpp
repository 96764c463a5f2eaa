// SPDX-License-Identifier: BSD-3-Clause
#include "sw/messages/collective_data.hpp"
#include "sw/mpi/buffers.hpp"
#include "sw/mpi/file_library.hpp"
#include "sw/mpi/interface.hpp"

#include <algorithm>
#include <stdexcept>

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

const Bytes& CollectiveCall::block(int from, int to) const {
  const auto& blocks = parts_[static_cast<std::size_t>(from)];
  if (!blocks)
    throw std::logic_error(std::string(function) + ": what rank " + std::to_string(from) +
                           " has was taken before it came");
  static const Bytes nothing;
  if (blocks->empty()) return nothing;
  return blocks->size() == 1 ? blocks->front() : (*blocks)[static_cast<std::size_t>(to)];
}

const Bytes& CollectiveCall::combined(int last, int count, MPI_Datatype type, MPI_Op op) {
  int next = last;
  while (next > 0 && !combined_[static_cast<std::size_t>(next)]) --next;
  if (!combined_[static_cast<std::size_t>(next)]) combined_[0] = std::make_unique<Bytes>(block(0));
  auto lower = std::make_unique<ElementBuffer>(count, type);
  unpack(*combined_[static_cast<std::size_t>(next)], lower->at(), count, type);
  for (++next; next <= last; ++next) {
    auto upper = std::make_unique<ElementBuffer>(count, type);
    unpack(block(next), upper->at(), count, type);
    smpi().Reduce_local(lower->at(), upper->at(), count, type, op);
    lower = std::move(upper);
    combined_[static_cast<std::size_t>(next)] = std::make_unique<Bytes>(packed(lower->at(), count, type));
  }
  return *combined_[static_cast<std::size_t>(last)];
}

} // namespace hypermon::messages
