// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/clock_looks.hpp"
#include "base/user_error.hpp"
#include "hw/cosim/sleep.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/os/system_call.hpp"

#include <xbt/config.hpp>

namespace hypermon {
namespace {

constexpr int alone = 1000;    // (chosen) programs that only measure time read far less often in a row
constexpr int together = 1000; // (chosen) reads of 10 ns: functions of SMPI alone begin at most 20 us early

double clock_now() { return simgrid_get_clock(); }

/// Ends the run if clock reads that take no time repeat without end.
void count(RankState& rank) {
  const Time now = simgrid_now();
  if (rank.calls.step(now))
    fail_simulation("simulated time stands still at " + std::to_string(now.seconds()) + " s: rank " +
                    std::to_string(rank.rank) + " has looked at clocks more often than limits.steps_at_once allows");
}

double look(RankState& rank, const void* site, const void* frame) {
  static const double cost = simgrid::config::get_value<double>("smpi/wtime");
  Looks& looks = rank.looks;
  const double now = clock_now();
  const double seen = std::max(now, looks.ahead);
  if (now != looks.slept_until) looks.in_a_row = 0; // it has done something else since
  if (++looks.in_a_row > alone && cost > 0) {
    looks.ahead = seen + cost;
    if (looks.ahead - now >= together * cost)
      sleep_for_looks(rank);
    else if (site != nullptr)
      runs_ahead = {site, frame, now, &looks, cost, together};
    return seen;
  }
  count(rank);
  if (cost > 0) actor_sleeps_for(cost);
  looks.slept_until = clock_now();
  return seen;
}

} // namespace

void sleep_for_looks(RankState& rank) {
  runs_ahead.left = 0;
  const double until = std::exchange(rank.looks.ahead, 0);
  actor_sleeps_for(until - clock_now());
  rank.looks.slept_until = clock_now();
}

double look_at_clock(RankState& rank, const void* site, const void* frame) {
  if (rank.in_mpi != nullptr) return clock_now(); // MPI has called a function of the program
  execution().pay(rank);
  if (!mpi_layer().models_messages) return look(rank, site, frame);
  MpiCall call(MpiFunction::Wtime, site);
  for (MpiObserver* observer : mpi_layer().observers.of(rank)) observer->enter(rank, call);
  system_call::read_clock(rank);
  call.finish(MPI_SUCCESS);
  for (MpiObserver* observer : mpi_layer().observers.of(rank)) observer->leave(rank, call);
  return clock_now();
}

double smpi_wtime() {
  RankState& rank = rank_table().self();
  return rank.initialized && !rank.finalized ? look(rank, nullptr, nullptr) : smpi().Wtime(); // takes no time
}

} // namespace hypermon
