// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/worker/ranks.hpp"

#include <algorithm>
#include <link.h>
#include <simgrid/s4u/Actor.hpp>

namespace hypermon {

LoadedObject object_at(const void* address) {
  struct Search {
    const void* address;
    LoadedObject found;
  } search{address, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        LoadedObject object{info->dlpi_addr, info->dlpi_addr};
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (const auto& part = info->dlpi_phdr[i]; part.p_type == PT_LOAD)
            object.end = std::max<std::uintptr_t>(object.end, info->dlpi_addr + part.p_vaddr + part.p_memsz);
        auto& wanted = *static_cast<Search*>(data);
        if (!object.contains(wanted.address)) return 0;
        wanted.found = object;
        return 1;
      },
      &search);
  return search.found;
}

Ranks& ranks() {
  static Ranks all;
  return all;
}

void Ranks::loaded(int rank, LoadedObject object) {
  if (objects_.size() <= static_cast<std::size_t>(rank)) objects_.resize(static_cast<std::size_t>(rank) + 1);
  objects_[static_cast<std::size_t>(rank)] = object;
  loading_ = -1;
}

void Ranks::begin(int rank) {
  const auto pid = static_cast<std::size_t>(simgrid::s4u::this_actor::get_pid());
  if (rank_of_pid_.size() <= pid) rank_of_pid_.resize(pid + 1, -1);
  rank_of_pid_[pid] = rank;
  running_ = true;
}

std::optional<int> Ranks::current() const {
  if (loading_ >= 0) return loading_;
  if (!running_ || simgrid::s4u::this_actor::is_maestro()) return std::nullopt;
  const auto pid = static_cast<std::size_t>(simgrid::s4u::this_actor::get_pid());
  if (pid >= rank_of_pid_.size() || rank_of_pid_[pid] < 0) return std::nullopt;
  return rank_of_pid_[pid];
}

} // namespace hypermon
