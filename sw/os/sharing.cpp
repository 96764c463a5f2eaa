// SPDX-License-Identifier: BSD-3-Clause
// Ranks that share their node's processors with each other or with other processes. A rank holds a processor while its
// program runs, even if that takes no time. Within an MPI call it waits without a processor, except while MPI's own
// software takes time: those costs are sleeps, both in NX/2's calls and in SMPI.
#include "sw/os/activity.hpp"
#include "sw/os/execution.hpp"

#include <simgrid/s4u/Actor.hpp>

namespace hypermon {
namespace sg4 = simgrid::s4u;

void Execution::begin_own_work(NodeKernel& kernel, RankEmissions& own) {
  kernel.then([&kernel, &own](Time) { own.time -= kernel.emission_time(); });
}

void Execution::end_own_work(NodeKernel& kernel, RankEmissions& own) {
  kernel.then([&kernel, &own](Time) { own.time += kernel.emission_time(); });
}

void Execution::join_processors(RankState& rank) {
  const NodeId node = rank.kernel->node();
  if (!processors_.is_shared(node)) return;
  TaskDesign task{.name = "rank " + std::to_string(rank.rank), .weight = rank_weight_};
  task.processors = processors_.of_rank(static_cast<std::size_t>(rank.rank % ranks_per_node_));
  rank.processor.task = processors_.add(node, task);
  if (activity_ != nullptr) activity_->joins(rank);
  regain_processor(rank);
}

void Execution::take(RankState& rank, Time work) {
  wake_ups_.sleeps();
  const WaitsFor before = rank.waits_for;
  if (before.call == nullptr) rank.waits_for = {"a processor of its node"};
  processors_.compute(rank.kernel->node(), *rank.processor.task, work);
  rank.waits_for = before;
  wake_ups_.wakes();
  hold_processor(rank);
}

void Execution::hold_processor(RankState& rank) {
  if (rank.processor.waits_in_mpi)
    processors_.sleep(rank.kernel->node(), *rank.processor.task);
  else
    processors_.poll(rank.kernel->node(), *rank.processor.task);
}

void Execution::leave_processor(RankState& rank) {
  rank.processor.waits_in_mpi = !ranks_poll_;
  hold_processor(rank);
}

void Execution::regain_processor(RankState& rank) {
  rank.processor.waits_in_mpi = false;
  take(rank, Time{});
}

void Execution::sleep_in_kernel(RankState& rank) { processors_.sleep(rank.kernel->node(), *rank.processor.task); }

void Execution::rest_until(RankState& rank, Time t) {
  if (rank.processor.task) sleep_in_kernel(rank);
  sleep_until(t);
  if (rank.processor.task) regain_processor(rank);
}

void Execution::watch_sleeps() {
  sg4::Actor::on_sleep_cb([this](const sg4::Actor& actor) {
    const RankState* rank = ranks_.of_actor(static_cast<std::size_t>(actor.get_pid()));
    if (rank != nullptr && rank->processor.waits_in_mpi) processors_.poll(rank->kernel->node(), *rank->processor.task);
  });
  sg4::Actor::on_wake_up_cb([this](const sg4::Actor& actor) {
    const RankState* rank = ranks_.of_actor(static_cast<std::size_t>(actor.get_pid()));
    if (rank != nullptr && rank->processor.waits_in_mpi) processors_.sleep(rank->kernel->node(), *rank->processor.task);
  });
}

} // namespace hypermon
