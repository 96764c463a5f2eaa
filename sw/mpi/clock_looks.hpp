// SPDX-License-Identifier: BSD-3-Clause
// What a look at a clock takes: MPI_Wtime, and the C library's clocks (platforms/worker/clocks.cpp). A loop that waits
// by looking ends, since each look takes time: a system call under NX/2, smpi/wtime with SMPI's messages, as smpirun
// has it.
//
// Under SMPI a rank that has looked `alone` times in a row, and done nothing else, is taken to wait. From then on it
// runs ahead of SimGrid's clock and sleeps for many looks at once: what it sees is the same, to the bit, and whatever
// it does next it first sleeps what is left (catch_up). Ten nanoseconds a look would be a hundred million sleeps a
// second.
#pragma once
#include "sw/os/execution.hpp"

#include <simgrid/engine.h>

namespace hypermon {

/// The rank looks; what it sees, in simulated seconds. From `site` in the program, on the stack at `frame`.
double look_at_clock(RankState& rank, const void* site, const void* frame);

/// A rank that runs ahead, on its own thread: it has looked from `site` on the stack at `frame`, which no other rank
/// has, and may do so `left` times more before it sleeps.
struct RunsAhead {
  const void* site = nullptr;
  const void* frame = nullptr;
  double clock = 0; // SimGrid's
  Looks* looks = nullptr;
  double cost = 0;
  int left = 0;
};
inline constinit thread_local RunsAhead runs_ahead;

/// Does the rank that runs ahead look once more, from the same place? Then look_on() tells what it sees. A short cut.
inline bool looks_on(const void* site, const void* frame) {
  return runs_ahead.left > 0 && site == runs_ahead.site && frame == runs_ahead.frame &&
         simgrid_get_clock() == runs_ahead.clock;
}
inline double look_on() {
  --runs_ahead.left;
  const double seen = runs_ahead.looks->ahead;
  runs_ahead.looks->ahead += runs_ahead.cost;
  return seen;
}

/// MPI_Wtime with SMPI's messages.
double smpi_wtime();

/// Sleeps for the looks that the rank has not slept for.
void sleep_for_looks(RankState& rank);
inline void catch_up_with_looks(RankState& rank) {
  if (rank.looks.ahead > 0) sleep_for_looks(rank);
}
/// And for what it owes: what it does next is seen by others.
inline void catch_up(RankState& rank) {
  catch_up_with_looks(rank);
  execution().pay(rank);
}

} // namespace hypermon
