// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/repeated_clock_reads.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/sleep.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/os/system_call.hpp"

#include <xbt/config.hpp>

namespace hypermon {
namespace {

constexpr int alone = 1000;    // (chosen) programs that only measure time make far fewer consecutive reads
constexpr int together = 1000; // (chosen) reads of 10 ns: functions of SMPI alone begin at most 20 us early

double clock_now() { return simgrid_get_clock(); }

/// Ends the run if clock reads that take no time repeat without end.
void count(RankState& rank) {
  const Time now = simgrid_now();
  if (rank.call.standstill.step(now))
    fail_simulation("simulated time stands still at " + std::to_string(now.seconds()) + " s: rank " +
                    std::to_string(rank.rank) + " has read clocks more often than limits.steps_at_once allows");
}

double look(RankState& rank, const void* site, const void* frame) {
  static const double cost = simgrid::config::get_value<double>("smpi/wtime");
  ClockReads& reads = rank.clock_reads;
  const double now = clock_now();
  const double seen = std::max(now, reads.ahead);
  if (now != reads.slept_until) reads.in_a_row = 0; // the rank has done something else since
  if (++reads.in_a_row > alone && cost > 0) {
    reads.ahead = seen + cost;
    if (reads.ahead - now >= together * cost)
      sleep_for_looks(reads);
    else if (site != nullptr)
      runs_ahead = {site, frame, now, &reads, cost, together};
    return seen;
  }
  count(rank);
  if (cost > 0) actor_sleeps_for(cost);
  reads.slept_until = clock_now();
  return seen;
}

} // namespace

void sleep_for_looks(ClockReads& reads) {
  runs_ahead.left = 0;
  const double until = std::exchange(reads.ahead, 0);
  actor_sleeps_for(until - clock_now());
  reads.slept_until = clock_now();
}

double look_at_clock(RankState& rank, const void* site, const void* frame) {
  if (rank.call.function != nullptr) return clock_now(); // MPI has called a function of the program
  execution().pay(rank);
  if (!mpi_layer().models_messages) return look(rank, site, frame);
  MpiCall call(MpiFunction::Wtime, site);
  for (MpiObserver* observer : mpi_layer().observers.for_rank(rank)) observer->enter(rank, call);
  system_call::read_clock(rank);
  call.finish(MPI_SUCCESS);
  for (MpiObserver* observer : mpi_layer().observers.for_rank(rank)) observer->leave(rank, call);
  return clock_now();
}

double smpi_wtime() {
  RankState& rank = rank_table().self();
  return rank.lifetime.is_initialized && !rank.lifetime.is_finalized ? look(rank, nullptr, nullptr)
                                                                     : smpi().Wtime(); // takes no time
}

} // namespace hypermon
