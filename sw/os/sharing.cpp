// SPDX-License-Identifier: BSD-3-Clause
// Ranks that share their node's processors, with each other or with processes beside them. A rank holds a processor
// while its program runs, whether that takes time or not. Within an MPI call it waits, but while MPI's own software
// takes time: those costs are sleeps, in NX/2's calls and in SMPI.
#include "hw/machine/processors.hpp"
#include "sw/os/activity.hpp"
#include "sw/os/nx2.hpp"

#include <simgrid/s4u/Actor.hpp>

namespace hypermon {
namespace sg4 = simgrid::s4u;

void Nx2::begin_own_work(RankState& rank) {
  rank.kernel->then([&rank](Time) { rank.own_emissions -= rank.kernel->emission_time(); });
}

void Nx2::end_own_work(RankState& rank) {
  rank.kernel->then([&rank](Time) { rank.own_emissions += rank.kernel->emission_time(); });
}

void Nx2::join_processors(RankState& rank) {
  const NodeId node = rank.kernel->node();
  if (!processors_.is_shared(node)) return;
  TaskDesign task{.name = "rank " + std::to_string(rank.rank), .weight = rank_weight_};
  task.processors = processors_.of_rank(static_cast<std::size_t>(rank.rank % ranks_per_node_));
  rank.task = processors_.add(node, task);
  if (activity_ != nullptr) activity_->joins(rank);
  regain_processor(rank);
}

void Nx2::take(RankState& rank, Time work) {
  ++sleeping_ranks_;
  ++progress_;
  const WaitsFor before = rank.waits_for;
  if (before.call == nullptr) rank.waits_for = {"a processor of its node"};
  processors_.compute(rank.kernel->node(), *rank.task, work);
  rank.waits_for = before;
  --sleeping_ranks_;
  hold_processor(rank);
}

void Nx2::hold_processor(RankState& rank) {
  if (rank.waits_in_mpi)
    processors_.sleep(rank.kernel->node(), *rank.task);
  else
    processors_.poll(rank.kernel->node(), *rank.task);
}

void Nx2::leave_processor(RankState& rank) {
  rank.waits_in_mpi = !ranks_poll_;
  hold_processor(rank);
}

void Nx2::regain_processor(RankState& rank) {
  rank.waits_in_mpi = false;
  take(rank, Time{});
}

void Nx2::sleep_in_kernel(RankState& rank) { processors_.sleep(rank.kernel->node(), *rank.task); }

void Nx2::rest_until(RankState& rank, Time t) {
  if (rank.task) sleep_in_kernel(rank);
  sleep_until(t);
  if (rank.task) regain_processor(rank);
}

void Nx2::watch_sleeps() {
  sg4::Actor::on_sleep_cb([this](const sg4::Actor& actor) {
    const RankState* rank = rank_of(static_cast<std::size_t>(actor.get_pid()));
    if (rank != nullptr && rank->waits_in_mpi) processors_.poll(rank->kernel->node(), *rank->task);
  });
  sg4::Actor::on_wake_up_cb([this](const sg4::Actor& actor) {
    const RankState* rank = rank_of(static_cast<std::size_t>(actor.get_pid()));
    if (rank != nullptr && rank->waits_in_mpi) processors_.sleep(rank->kernel->node(), *rank->task);
  });
}

void Nx2::keep_processor(NodeKernel& kernel, std::optional<TaskId> task) {
  const auto keep = [this, node = kernel.node(), task](Time end) { processors_.keep(node, task, end); };
  if (!kernel.settled()) keep(Time::never());
  kernel.then([keep, &kernel](Time end) { keep(kernel.settled() ? end : Time::never()); });
}

void Nx2::close_accounts() {
  if (!processors_.is_any_shared()) return;
  for (int n = 0; n < nodes_; ++n) {
    const NodeId node{static_cast<std::uint32_t>(n)};
    node_accounts_.push_back(
        {processors_.is_shared(node) ? processors_.cpu(node).times() : std::vector<ProcessorTimes>{}});
  }
  for (const RankState& rank : ranks_) {
    RankAccounts accounts;
    if (rank.task) {
      const Cpu& cpu = processors_.cpu(rank.kernel->node());
      accounts = {cpu.used(*rank.task), cpu.waited(*rank.task), cpu.switches(*rank.task)};
    }
    rank_accounts_.push_back(accounts);
  }
}

} // namespace hypermon
