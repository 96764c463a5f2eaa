// SPDX-License-Identifier: BSD-3-Clause
#include "sw/mpi/window_polls.hpp"
#include "hw/cosim/sleep.hpp"
#include "sw/mpi/interface.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/os/execution.hpp"

namespace hypermon {
namespace {

constexpr int alone = 1000; // (chosen) as for reads of a clock: other programs complete fewer accesses at one instant

MpiTable without_time;

template <auto Function> struct Poll;
template <class... Arguments, int (*MpiTable::*Function)(Arguments...)> struct Poll<Function> {
  static int call(Arguments... arguments) {
    const int status = (without_time.*Function)(arguments...);
    take_time_of_window_poll();
    return status;
  }
};

} // namespace

void add_window_polls(MpiTable& table) {
  without_time = table;
  table.Win_unlock = Poll<&MpiTable::Win_unlock>::call;
  table.Win_unlock_all = Poll<&MpiTable::Win_unlock_all>::call;
  table.Win_flush = Poll<&MpiTable::Win_flush>::call;
  table.Win_flush_all = Poll<&MpiTable::Win_flush_all>::call;
  table.Rget = Poll<&MpiTable::Rget>::call; // its request is complete at once if the window is the rank's own
}

void take_time_of_window_poll() {
  RankState* rank = rank_table().caller();
  if (rank == nullptr) return;
  WindowPolls& polls = rank->window_polls;
  const Time now = simgrid_now();
  if (now != polls.at) {
    polls.at = now;
    if (polls.in_a_row <= alone) polls.in_a_row = 1;
    return;
  }
  if (++polls.in_a_row <= alone) return;
  if (mpi_layer().models_messages)
    execution().compute(*rank, execution().test_cost());
  else
    execution().sleep_until(now + execution().test_cost());
  polls.at = simgrid_now();
}

} // namespace hypermon
