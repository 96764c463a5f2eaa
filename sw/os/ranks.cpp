// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/ranks.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <smpi/smpi.h>

#include <string_view>

namespace hypermon {
namespace {

/// Text of what the rank waits for, or `otherwise` if that is unknown.
std::string waits_for(const RankState& rank, const char* otherwise) {
  // Messages of the library's own global operation mean nothing to the program, so the operation is named instead.
  if (rank.call.function != nullptr && std::string_view(rank.algorithm.name) != "nx2") return rank.call.function;
  return rank.waits_for.call != nullptr  ? rank.waits_for.text()
         : rank.call.function != nullptr ? rank.call.function
                                         : otherwise;
}

} // namespace

std::string WaitsFor::text() const {
  if (*direction == '\0') return call;
  return std::string(call) + direction + (peer == MPI_ANY_SOURCE ? "any rank" : "rank " + std::to_string(peer)) +
         ", tag " + (tag == MPI_ANY_TAG ? "any" : std::to_string(tag));
}

std::string name_of(const RankState& rank) {
  return "rank " + std::to_string(rank.rank - rank.first) +
         (rank.program == 0 ? "" : " of neighbour " + std::to_string(rank.program - 1));
}

RankState& RankTable::add(std::size_t program, simgrid::s4u::Host* place, NodeKernel& kernel) {
  const auto number = static_cast<int>(all_.size());
  if (sizes_.size() <= program) sizes_.push_back(0);
  const std::uint32_t of_kernel = !all_.empty() && all_.back().kernel == &kernel ? all_.back().of_kernel + 1 : 0;
  RankState& rank = all_.emplace_back();
  rank.rank = number;
  rank.program = program;
  rank.first = number - sizes_[program]++;
  rank.kernel = &kernel;
  rank.of_kernel = of_kernel;
  places_.push_back(place);
  return rank;
}

void RankTable::clear() {
  all_.clear();
  sizes_.front() = 0;
}

RankState& RankTable::bind(int rank) {
  const auto pid = static_cast<std::size_t>(simgrid::s4u::this_actor::get_pid());
  if (of_pid_.size() <= pid) of_pid_.resize(pid + 1);
  return *(of_pid_[pid] = &all_[static_cast<std::size_t>(rank)]);
}

RankState* RankTable::caller() { return of_actor(static_cast<std::size_t>(simgrid::s4u::this_actor::get_pid())); }

std::string RankTable::doing() const {
  constexpr int most = 8; // (chosen) number of listed ranks, even if there are thousands
  std::string text;
  int listed = 0;
  for (const RankState& rank : all_) {
    if (rank.lifetime.is_finalized || rank.lifetime.has_ended || ++listed > most) continue;
    text += "\n  " + name_of(rank) + " is in " + waits_for(rank, "its own code");
  }
  return text + (listed > most ? "\n  and " + std::to_string(listed - most) + " more" : "");
}

std::string RankTable::waiting() const {
  std::string text;
  for (const RankState& rank : all_)
    if (!rank.lifetime.is_finalized && !rank.lifetime.has_ended)
      text += "\n  " + name_of(rank) + " waits for " + waits_for(rank, "an MPI operation");
  return text;
}

} // namespace hypermon
