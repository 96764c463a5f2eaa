// SPDX-License-Identifier: BSD-3-Clause
// Who waits for what, and whether anybody can still be woken.
#include "base/user_error.hpp"
#include "hw/cosim/simgrid_compat.hpp"
#include "sw/os/nx2.hpp"

#include <smpi/smpi.h>

#include <algorithm>

namespace hypermon {
namespace sg4 = simgrid::s4u;

namespace {

constexpr Time longest_latency = 10000_ms; // of a message; deadlocks are found that much later (chosen)

bool links_are_used() {
  const auto links = sg4::Engine::get_instance()->get_all_links();
  return std::any_of(links.begin(), links.end(),
                     [](const sg4::Link* link) { return simgrid_compat::load_of(link) > 0; });
}

} // namespace

std::string WaitsFor::text() const {
  if (*direction == '\0') return call;
  return std::string(call) + direction + (peer == MPI_ANY_SOURCE ? "any rank" : "rank " + std::to_string(peer)) +
         ", tag " + (tag == MPI_ANY_TAG ? "any" : std::to_string(tag));
}

void Nx2::check_for_deadlock() {
  const bool stands_still = sleeping_ranks_ == 0 && timers_ == 0 && transfers_ == 0 && progress_ == seen_progress_ &&
                            !(under_way_ && under_way_());
  seen_progress_ = progress_;
  if (!stands_still) {
    still_since_ = now();
    return;
  }
  // SMPI's transfers begin unseen, and use no link before their latency is over.
  if (!models_messages_ && (now() - still_since_ < longest_latency || links_are_used())) return;
  fail_deadlocked();
}

namespace {
/// What it waits for, if it is known.
std::string waits_for(const RankState& rank, const char* otherwise) {
  // Within a global operation of the library's own its messages say nothing to the program.
  if (rank.in_mpi != nullptr && std::string_view(rank.algorithm) != "nx2") return rank.in_mpi;
  return rank.waits_for.call != nullptr ? rank.waits_for.text() : rank.in_mpi != nullptr ? rank.in_mpi : otherwise;
}
} // namespace

std::string Nx2::doing() const {
  constexpr int most = 8; // (chosen) of thousands, these say enough
  std::string text;
  int said = 0;
  for (const RankState& rank : ranks_) {
    if (rank.finalized || rank.ended || ++said > most) continue;
    text += "\n  " + name_of(rank) + " is in " + waits_for(rank, "its own code");
  }
  return text + (said > most ? "\n  and " + std::to_string(said - most) + " more" : "");
}

void Nx2::fail_deadlocked() const {
  std::string text;
  for (const RankState& rank : ranks_) {
    if (rank.finalized || rank.ended) continue;
    text += "\n  " + name_of(rank) + " waits for " + waits_for(rank, "an MPI operation");
  }
  if (!text.empty()) fail_simulation("the program deadlocked at " + std::to_string(now().seconds()) + " s:" + text);
}

} // namespace hypermon
