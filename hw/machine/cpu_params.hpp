// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the nodes' processors, and of who takes them from the program.
#pragma once
#include "base/field.hpp"
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

constexpr auto fields_of(const CpuParams*) {
  using P = CpuParams;
  return fields(
      Field{"processors", &P::processors, range(1, 64), "", "Processors of a node, all alike.",
            "facts: an iPSC/2 node has one, a node of HPVM's cluster two"},
      Field{"policy", &P::policy,
            "How processes of the same priority share; the kernel's work comes first, then higher priorities. "
            "kernel_first: one after the other, each until it waits. time_slices: in turn, a quantum each. "
            "fair_shares: for a quantum who has had least by weight.",
            "chosen"},
      Field{"quantum_ms", &P::quantum_ms, range(0.001, 1e6), "Of time_slices and fair_shares.",
            "facts: Windows NT Server, 120 ms"},
      Field{"context_switch_us", &P::context_switch_us, range(0, 1e6),
            "Time that a processor takes to go on with another process than the one that it ran last.", "assumed"},
      Field{"ranks_per_node", &P::ranks_per_node, range(1, 1024), "",
            "Ranks on each node, neighbours by number: rank r is on node r / ranks_per_node. With more than one, "
            "machine.messages = smpi; messages within a node take the platform's loopback.",
            "chosen"},
      Field{"rank_processors", &P::rank_processors, any_value(), "",
            "Processors on which ranks may run, like 0,2-3; empty: on all.", "chosen"},
      Field{"bind_ranks", &P::bind_ranks, any_value(), "",
            "Each rank stays on one of these processors: a node's ranks are dealt to them in turn.", "chosen"},
      Field{"rank_weight", &P::rank_weight, range(1, 10000), "", "A rank's weight under fair_shares.", "chosen"},
      Field{"waiting", &P::waiting,
            "What a rank does with its processor while an MPI call waits: leaves it (block) or burns it (poll).",
            "facts: NX/2 blocks; Fast Messages polls"});
}
static_assert(all_members_described<CpuParams>());

constexpr auto fields_of(const CompetitorParams*) {
  using P = CompetitorParams;
  return fields(
      Field{"count", &P::count, range(0, 16), "kinds",
            "Kinds of processes beside the ranks: competitor[1].threads is a parameter of the second kind. Needs "
            "cpu.policy = time_slices or fair_shares.",
            "chosen"}
          .same_of_all(),
      Field{"name", &P::name, any_value(), "",
            "What monitors that list a node's processes call them; empty: competitor, with its number if there are "
            "several kinds.",
            "chosen"},
      Field{"nodes", &P::nodes, any_value(), "", "Nodes that have them: all, or numbers and ranges like 0,4-7.",
            "chosen"},
      Field{"threads", &P::threads, range(1, 1024), "", "Busy threads on each of these nodes.", "chosen"},
      Field{"priority", &P::priority, range(-100, 100), "", "Above 0: before the ranks; below: behind them.", "chosen"},
      Field{"weight", &P::weight, range(1, 10000), "", "Of each thread under fair_shares; a rank's is cpu.rank_weight.",
            "chosen"},
      Field{"processors", &P::processors, any_value(), "",
            "Processors on which the threads may run, like 0,2-3; empty: on all.", "chosen"},
      Field{"bind", &P::bind, any_value(), "",
            "Each thread stays on one of these processors: a node's threads are dealt to them in turn.", "chosen"},
      Field{"begin_s", &P::begin_s, range(0, 1e6), "When they begin.", "chosen"},
      Field{"end_s", &P::end_s, range(0, 1e6), "When they end; 0: never.", "chosen"},
      Field{"memory_mb", &P::memory_mb, range(0, 1e9),
            "With memory.node_mb: so much of each of these nodes' memory they take between begin and end.", "chosen"},
      Field{"busy_ms", &P::busy_ms, range(0, 1e9), "CPU time that a thread takes before it sleeps; 0: it never sleeps.",
            "chosen"},
      Field{"sleep_ms", &P::sleep_ms, range(0, 1e9), "For so long it sleeps then.", "chosen"});
}
static_assert(all_members_described<CompetitorParams>());

} // namespace hypermon
