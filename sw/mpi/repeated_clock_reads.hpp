// SPDX-License-Identifier: BSD-3-Clause
// Simulated time of one read of a clock, with MPI_Wtime or with the C library's clocks (platforms/worker/clocks.cpp).
// It makes a loop end that polls a clock. A read costs a system call under NX/2, and smpi/wtime with SMPI's messages,
// as in smpirun.
//
// Under SMPI, a rank that reads the clock more than `alone` times in a row and does nothing else is assumed to wait in
// a loop. From then on it runs ahead of SimGrid's clock and sleeps once for many reads. The times that it reads stay
// the same to the last bit, and it sleeps the remaining time before it does anything else (catch_up). With one sleep of
// 10 ns per read, a wait of one second would need a hundred million sleeps.
#pragma once
#include "sw/os/execution.hpp"

#include <simgrid/engine.h>

namespace hypermon {

/// The rank reads the clock; returns simulated seconds. The call is at `site` in the program, in the stack frame
/// `frame`.
double look_at_clock(RankState& rank, const void* site, const void* frame);

/// A rank that runs ahead, on its own thread. It has read the clock from `site` in the stack frame `frame`, which no
/// other rank has, and may do so `left` more times before it sleeps.
struct RunsAhead {
  const void* site = nullptr;
  const void* frame = nullptr;
  double clock = 0; // SimGrid's clock
  ClockReads* reads = nullptr;
  double cost = 0;
  int left = 0;
};
inline constinit thread_local RunsAhead runs_ahead;

/// Short cut: true if the rank that runs ahead reads the clock again from the same place. read_again() returns the time
/// then.
inline bool reads_again(const void* site, const void* frame) {
  return runs_ahead.left > 0 && site == runs_ahead.site && frame == runs_ahead.frame &&
         simgrid_get_clock() == runs_ahead.clock;
}
inline double read_again() {
  --runs_ahead.left;
  const double seen = runs_ahead.reads->ahead;
  runs_ahead.reads->ahead += runs_ahead.cost;
  return seen;
}

/// MPI_Wtime with SMPI's messages.
double smpi_wtime();

/// Sleeps for the clock reads that the rank has not slept for yet.
void sleep_for_looks(ClockReads& reads);
inline void catch_up_with_looks(ClockReads& reads) {
  if (reads.ahead > 0) sleep_for_looks(reads);
}
/// Also sleeps for the time that the rank owes, because other ranks see its next action.
inline void catch_up(RankState& rank) {
  catch_up_with_looks(rank.clock_reads);
  execution().pay(rank);
}

} // namespace hypermon
