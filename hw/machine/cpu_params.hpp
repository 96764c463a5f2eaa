// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the nodes' processors and of the processes that compete with the program for them.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "base/several.hpp"
#include "hw/machine/cpu.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Use of the processor by a rank while an MPI call waits.
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

/// One kind of processes beside the ranks, equal on each node that has any. None by default.
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
      Field{"processors", &P::processors, range(1, 64), "", "Number of identical processors in a node.",
            "facts: an iPSC/2 node has one, a node of HPVM's cluster two"},
      Field{"policy", &P::policy,
            "Scheduling of processes of equal priority; the kernel's work and higher priorities come first. "
            "kernel_first: one after the other, each until it waits. time_slices: one quantum each in turn. "
            "fair_shares: the next quantum goes to the process with the least weighted CPU time.",
            "chosen"},
      Field{"quantum_ms", &P::quantum_ms, range(0.001, 1e6),
            "Length of a scheduling quantum under cpu.policy = time_slices or fair_shares.",
            "facts: Windows NT Server, 120 ms"},
      Field{"context_switch_us", &P::context_switch_us, range(0, 1e6),
            "Time that a processor needs to switch to a process other than the one that it ran last.", "assumed"},
      Field{"ranks_per_node", &P::ranks_per_node, range(1, 1024), "",
            "Number of ranks on each node: rank r runs on node r / ranks_per_node. More than one needs "
            "machine.messages = smpi; messages within a node then use the platform's loopback.",
            "chosen"},
      Field{"rank_processors", &P::rank_processors, any_value(), "",
            "Processors on which ranks may run, like 0,2-3. Empty: all processors.", "chosen"},
      Field{"bind_ranks", &P::bind_ranks, any_value(), "",
            "Bind each rank to one processor. A node's ranks are assigned to the processors of cpu.rank_processors in "
            "turn.",
            "chosen"},
      Field{"rank_weight", &P::rank_weight, range(1, 10000), "", "Weight of a rank under cpu.policy = fair_shares.",
            "chosen"},
      Field{"waiting", &P::waiting,
            "Use of the processor while a rank's MPI call waits. block: the rank leaves it to other processes. poll: "
            "the rank keeps it busy.",
            "facts: NX/2 blocks; Fast Messages polls"});
}
static_assert(all_members_described<CpuParams>());

constexpr auto fields_of(const CompetitorParams*) {
  using P = CompetitorParams;
  return fields(
      Field{"count", &P::count, range(0, 16), "kinds",
            "Number of kinds of competing processes beside the ranks; competitor[1].threads belongs to the second "
            "kind. Needs cpu.policy = time_slices or fair_shares.",
            "chosen"}
          .same_of_all(),
      Field{"name", &P::name, any_value(), "",
            "Name of the competitor in monitors that list a node's processes. Empty: competitor, with its number if "
            "there are several kinds.",
            "chosen"},
      Field{"nodes", &P::nodes, any_value(), "",
            "Nodes that run the competitor: all, or numbers and ranges like 0,4-7.", "chosen"},
      Field{"threads", &P::threads, range(1, 1024), "",
            "Number of busy threads of the competitor on each of its nodes.", "chosen"},
      Field{"priority", &P::priority, range(-100, 100), "",
            "Priority of the competitor. Above 0: before the ranks. Below 0: after them.", "chosen"},
      Field{
          "weight", &P::weight, range(1, 10000), "",
          "Weight of each thread of the competitor under cpu.policy = fair_shares. A rank's weight is cpu.rank_weight.",
          "chosen"},
      Field{"processors", &P::processors, any_value(), "",
            "Processors on which the competitor's threads may run, like 0,2-3. Empty: all processors.", "chosen"},
      Field{"bind", &P::bind, any_value(), "",
            "Bind each thread of the competitor to one processor. A node's threads are assigned to the processors of "
            "competitor.processors in turn.",
            "chosen"},
      Field{"begin_s", &P::begin_s, range(0, 1e6), "Time at which the competitor begins.", "chosen"},
      Field{"end_s", &P::end_s, range(0, 1e6), "Time at which the competitor ends. 0: never.", "chosen"},
      Field{"memory_mb", &P::memory_mb, range(0, 1e9),
            "Memory that the competitor occupies on each of its nodes from its beginning to its end. It has an effect "
            "only with memory.node_mb above 0.",
            "chosen"},
      Field{"busy_ms", &P::busy_ms, range(0, 1e9),
            "CPU time that a thread of the competitor takes before it sleeps. 0: it never sleeps.", "chosen"},
      Field{"sleep_ms", &P::sleep_ms, range(0, 1e9),
            "Time for which a thread of the competitor sleeps after each competitor.busy_ms of CPU time.", "chosen"});
}
static_assert(all_members_described<CompetitorParams>());

} // namespace hypermon
