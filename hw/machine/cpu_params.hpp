// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the nodes' processors, and of who takes them from the program.
#pragma once
#include "base/quantity.hpp"
#include "base/several.hpp"
#include "hw/machine/cpu.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// What a rank does with its processor while an MPI call waits.
enum class WaitingRank : std::uint8_t { block, poll };
constexpr auto words_of(WaitingRank) { return words("block", "poll"); }

struct CpuParams {
  std::int64_t processors = 1;
  CpuPolicy policy = CpuPolicy::kernel_first;
  Milliseconds quantum_ms = 120;
  Microseconds context_switch_us = 5;
  std::int64_t ranks_per_node = 1;
  std::string rank_processors;
  bool bind_ranks = false;
  std::int64_t rank_weight = 1;
  WaitingRank waiting = WaitingRank::block;
};

/// Processes of a kind beside the ranks: the same on each node that has any; there are none by default.
struct CompetitorParams {
  std::int64_t count = 0;
  std::string name;
  std::string nodes = "all";
  std::int64_t threads = 1;
  std::int64_t priority = 0;
  std::int64_t weight = 1;
  std::string processors;
  bool bind = false;
  Seconds begin_s = 0;
  Seconds end_s = 0;
  Megabytes memory_mb = 0;
  Milliseconds busy_ms = 0;
  Milliseconds sleep_ms = 0;
};
using CompetitorSection = Several<CompetitorParams>;

} // namespace hypermon
