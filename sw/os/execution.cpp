// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/execution.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/sleep.hpp"
#include "hw/machine/cpu_params.hpp"
#include "sw/os/activity.hpp"
#include "sw/os/os_params.hpp"
#include "sw/os/program_observer.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>

#include <algorithm>

namespace hypermon {
namespace sg4 = simgrid::s4u;

Execution::Execution(const Spec& spec, const Parts& parts)
    : machine_(parts.machine), processors_(parts.processors), kernels_(parts.kernels), ranks_(parts.ranks),
      memories_(parts.memories), wake_ups_(parts.wake_ups),
      ranks_per_node_(static_cast<int>(spec.get<CpuParams>().ranks_per_node)),
      ranks_poll_(spec.get<CpuParams>().waiting == WaitingRank::poll), rank_weight_(spec.get<CpuParams>().rank_weight),
      syscall_(spec.get<OsParams>().syscall_us), test_(spec.get<OsParams>().test_us) {}

void Execution::start() {
  if (processors_.is_any_shared()) watch_sleeps();
}

void Execution::register_rank(int rank) { join_processors(ranks_.bind(rank)); }

void Execution::fail_beyond_reach() const {
  fail_simulation("simulated time would pass 9 million seconds, the largest time in picoseconds" + ranks_.doing());
}

void Execution::sleep_until(Time t) {
  if (t <= simgrid_now()) return;
  wake_ups_.sleeps();
  actor_sleeps_until(t.seconds());
  wake_ups_.wakes();
}

void Execution::sleep_for(double seconds) {
  check_reach(seconds);
  wake_ups_.sleeps();
  actor_sleeps_for(seconds);
  wake_ups_.wakes();
}

void Execution::compute(RankState& rank, Time nominal, WorkOf owner) {
  const Time work = rank.kernel->clock().stretch(nominal);
  if (rank.section.is_open) rank.section.compute_time += work;
  compute_stretched(rank, work, owner);
}

void Execution::compute_stretched(RankState& rank, Time work, WorkOf owner) {
  RankComputation& own = rank.computation;
  own.works_for = owner == WorkOf::program && rank.call.function != nullptr ? WorkOf::system : owner;
  own.owed_to_monitor = own.owed;
  work += std::exchange(own.owed, Time{});
  if (memories_.are_modelled() && memories_.find(rank) != nullptr) [[unlikely]]
    return compute_paging(rank, work);
  compute_in_one(rank, work);
}

void Execution::compute_in_one(RankState& rank, Time work) {
  if (rank.processor.task) return take(rank, work);
  const NodeKernel& kernel = *rank.kernel;
  Time taken;
  Time end;
  await(*rank.kernel, [&](Time free_at) {
    taken = kernel.stolen();
    end = std::max(simgrid_now(), free_at) + work;
  });
  const Time begin = end - work;
  begin_computing(kernel, rank.computation, begin);
  end = outlast_interrupts(rank, end, taken);
  tell_work(rank, begin, end, work);
  end_computing(rank.computation, work);
}

void Execution::begin_computing(const NodeKernel& kernel, RankComputation& computation, Time begin) {
  computation.since = begin;
  if (const KernelAccount* account = kernel.account()) computation.kernel_before = account->total();
}

void Execution::end_computing(RankComputation& computation, Time work) {
  computation.since = Time::never();
  computation.total += work;
}

const Cpu* Execution::shared_cpu(NodeId node) const {
  return processors_.is_shared(node) ? &processors_.cpu(node) : nullptr;
}

Time Execution::computed(const RankState& rank, Time now) const {
  if (rank.processor.task) return shared_cpu(rank.kernel->node())->used(*rank.processor.task);
  const RankComputation& own = rank.computation;
  if (now <= own.since) return own.total;
  const Time kernel = rank.kernel->system_time(now) + rank.kernel->emitting_time(now) - own.kernel_before;
  return own.total + (now - own.since) - kernel;
}

void Execution::execute(RankState& rank, double flops) {
  if (!machine_.has_speeds())
    fail_simulation("the program computes in flops, and the machine's nodes have no speed: SimGrid's XML platforms do"
                    " (or hypermon import ti --flops-per-s)");
  const double seconds = flops / ranks_.place_of(rank.rank)->get_speed();
  check_reach(seconds);
  pay(rank);
  for (ProgramObserver* observer : program_observers(rank))
    observer->compute(rank, Time::from_seconds_rounded(seconds));
  rank.computation.works_for = rank.call.function != nullptr ? WorkOf::system : WorkOf::program;
  if (rank.processor.task) {
    const Time work = Time::from_seconds_rounded(seconds);
    if (rank.section.is_open) rank.section.compute_time += work;
    take(rank, work);
    if (memories_.find(rank) != nullptr) await_pages(rank, work);
    return;
  }
  const Time begin = simgrid_now();
  Time taken;
  Time free;
  await(*rank.kernel, [&](Time free_at) {
    taken = rank.kernel->stolen();
    free = free_at;
  });
  sleep_until(free);
  begin_computing(*rank.kernel, rank.computation, simgrid_now());
  sg4::this_actor::execute(flops);
  const Time took = simgrid_now() - std::max(begin, free);
  if (rank.section.is_open) rank.section.compute_time += took;
  const Time end = outlast_interrupts(rank, simgrid_now(), taken);
  tell_work(rank, std::max(begin, free), end, took);
  end_computing(rank.computation, took);
  if (memories_.find(rank) != nullptr) await_pages(rank, took);
}

Time Execution::outlast_interrupts(RankState& rank, Time end, Time taken) {
  const NodeKernel& kernel = *rank.kernel;
  for (;;) {
    sleep_until(end);
    Time stolen; // CPU time taken by all interrupts before `end`, including held ones
    await(*rank.kernel, [&](Time) { stolen = kernel.stolen(); });
    if (stolen == taken) return end;
    end += stolen - taken;
    taken = stolen;
  }
}

void Execution::executed(const RankState& rank, Time begin) {
  if (activity_ != nullptr) activity_->executed(rank, begin, simgrid_now());
}

void Execution::tell_work(RankState& rank, Time begin, Time end, Time work) {
  if (activity_ != nullptr) [[unlikely]]
    activity_->worked(rank, begin, end, work);
}

void Execution::tell_begin(RankState& rank) {
  rank.kernel->then([this, &rank](Time begin) { activity_->kernel_begins(rank, begin); });
}

void Execution::tell_end(RankState& rank, WorkOf owner) {
  rank.kernel->then([this, &rank, owner](Time end) { activity_->kernel_ends(rank, end, owner); });
}

bool Execution::counts(RankState& rank, Time nominal) const {
  ++rank.declared.calls;
  rank.declared.time += nominal;
  return !ignores_charges_;
}

void Execution::charge(RankState& rank, Time nominal) {
  if (counts(rank, nominal)) compute_observed(rank, nominal);
}

void Execution::compute_observed(RankState& rank, Time nominal) {
  for (ProgramObserver* observer : program_observers(rank)) observer->compute(rank, nominal);
  compute(rank, nominal);
}

// Pages
// ------------------------------------------------------------------------------------------------------------------

void Execution::set_working_set(RankState& rank, std::int64_t bytes) {
  NodeMemory* memory = memories_.find(rank);
  if (memory == nullptr) return;
  if (const std::int64_t first = memory->resize(memories_.on_its_node(rank), bytes);
      first > 0 && memories_.page_touch() > Time{})
    compute(rank, memories_.page_touch() * first, WorkOf::system);
}

void Execution::compute_paging(RankState& rank, Time work) {
  for (Time left = work; left > Time{};) {
    const Time piece = std::min(left, memories_.stretch());
    compute_in_one(rank, piece);
    await_pages(rank, piece);
    left -= piece;
  }
}

void Execution::await_pages(RankState& rank, Time work) {
  const std::int64_t missed = memories_.find(rank)->misses(memories_.on_its_node(rank), work, simgrid_now());
  if (missed == 0) return;
  rank.computation.paging += memories_.page_read() * missed;
  rest_until(rank, simgrid_now() + memories_.page_read() * missed);
}

} // namespace hypermon
