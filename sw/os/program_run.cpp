// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/program_run.hpp"
#include "hw/cosim/sleep.hpp"
#include "hw/machine/params.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <algorithm>

namespace hypermon {
namespace sg4 = simgrid::s4u;

ProgramRun::ProgramRun(const Spec& spec, const Parts& parts)
    : machine_(parts.machine), kernels_(parts.kernels), ranks_(parts.ranks), execution_(parts.execution),
      processors_(parts.execution.processors()), has_start_phases_(parts.has_start_phases),
      start_spread_(spec.get<NodeParams>().start_spread_us) {}

void ProgramRun::run_idle(Time end) {
  simgrid::s4u::Host* const place = ranks_.place_of(0);
  ranks_.clear();
  kernels_.record(true);
  sg4::Actor::init("idle", place)->start([this, end] {
    actor_sleeps_until(end.seconds());
    program_has_ended();
  });
}

void ProgramRun::begin(RankState& rank) {
  rank.lifetime.is_initialized = true;
  if (rank.instrumented && has_start_phases_)
    execution_.sleep_until(simgrid_now() + machine_.start_phase(rank.kernel->node()) * start_spread_);
  if (rank.program > 0) rank.section.begin = simgrid_now();
  begin_measured(rank);
  execution_.kernel_work(
      rank, [&](NodeKernel& k) { k.emit(Point::process_start, {.process = static_cast<std::uint32_t>(rank.rank)}); });
}

void ProgramRun::end(RankState& rank) {
  execution_.kernel_work(rank, [&](NodeKernel& k) { k.emit(Point::process_end); });
  close_section(rank);
  if (rank.program > 0) rank.section.end = simgrid_now();
  rank.lifetime.is_finalized = true;
  // Every node's ticks are events until the whole program has ended.
  const bool all = std::all_of(ranks_.all().begin(), ranks_.all().end(),
                               [](const RankState& r) { return r.lifetime.is_finalized || !r.instrumented; });
  if (all && rank.program == 0) program_has_ended();
}

void ProgramRun::program_has_ended() {
  kernels_.record(false);
  program_end_ = simgrid_now();
  close_accounts();
  tell_that_it_ended();
}

void ProgramRun::tell_that_it_ended() {
  for (const auto& known : awaiting_end_) known->release();
  awaiting_end_.clear();
}

void ProgramRun::rank_ended(RankState& rank) {
  rank.lifetime.has_ended = true;
  rank.lifetime.ended_at = simgrid_now();
  if (rank.processor.task) processors_.sleep(rank.kernel->node(), *rank.processor.task);
  const bool all = std::all_of(ranks_.all().begin(), ranks_.all().end(),
                               [](const RankState& r) { return r.lifetime.has_ended || r.program > 0; });
  if (all) tell_that_it_ended();
}

void ProgramRun::await_program_end() {
  if (program_end_ != Time::never()) return;
  const auto known = awaiting_end_.emplace_back(sg4::Semaphore::create(0));
  known->acquire();
}

void ProgramRun::begin_measured(RankState& rank) const {
  if (rank.section.is_open || !rank.instrumented) return;
  rank.section.is_open = true;
  rank.section.begin = simgrid_now();
  rank.kernel->then([&rank](Time) {
    rank.section.emission_before =
        rank.own_emissions.are_counted ? rank.own_emissions.time : rank.kernel->emission_time_until(rank.section.begin);
  });
  rank.kernel->record(kernels_.records());
}

void ProgramRun::end_measured(RankState& rank) const {
  close_section(rank);
  rank.kernel->record(kernels_.records() &&
                      std::any_of(ranks_.all().begin(), ranks_.all().end(),
                                  [&](const RankState& r) { return r.kernel == rank.kernel && r.section.is_open; }));
}

void ProgramRun::close_section(RankState& rank) {
  if (!rank.section.is_open) return;
  rank.section.is_open = false;
  rank.section.end = simgrid_now();
  // Kernel work that is under way continues without the rank.
  rank.kernel->then([&rank](Time) {
    const Time all =
        rank.own_emissions.are_counted ? rank.own_emissions.time : rank.kernel->emission_time_until(rank.section.end);
    rank.section.emission_time = all - rank.section.emission_before;
  });
}

void ProgramRun::close_accounts() {
  if (!processors_.is_any_shared()) return;
  for (int n = 0; n < kernels_.nodes(); ++n) {
    const NodeId node{static_cast<std::uint32_t>(n)};
    node_accounts_.push_back(
        {processors_.is_shared(node) ? processors_.cpu(node).times() : std::vector<ProcessorTimes>{}});
  }
  for (const RankState& rank : ranks_.all()) {
    RankAccounts accounts;
    if (rank.processor.task) {
      const Cpu& cpu = processors_.cpu(rank.kernel->node());
      accounts = {cpu.used(*rank.processor.task), cpu.waited(*rank.processor.task), cpu.switches(*rank.processor.task)};
    }
    rank_accounts_.push_back(accounts);
  }
}

} // namespace hypermon
