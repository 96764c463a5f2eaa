// SPDX-License-Identifier: BSD-3-Clause
// Functions besides MPI that a program may call (sw/include/hypermon.h), and functions for the replay of scripts.
#include "base/user_error.hpp"
#include "sw/mpi/repeated_clock_reads.hpp"
#include "sw/os/execution.hpp"
#include "sw/os/program_observer.hpp"

using namespace hypermon;

extern "C" {

/// See sw/include/hypermon.h.
void hypermon_compute(double operations, double ns_per_operation) {
  catch_up_with_looks(rank_table().self().clock_reads);
  const double ns = operations * ns_per_operation;
  execution().check_reach(ns * 1e-9);
  execution().charge(rank_table().self(), Time::from_ns_rounded(ns));
}

/// See sw/include/hypermon.h.
void hypermon_set_working_set(long long bytes) {
  RankState& self = rank_table().self();
  catch_up(self);
  if (bytes < 0) fail_rank(self.rank, "called hypermon_working_set(" + std::to_string(bytes) + "): less than nothing");
  execution().set_working_set(self, bytes);
}

/// Used by sw/workloads/trace/trace.cpp.
void hypermon_execute(double flops) { execution().execute(rank_table().self(), flops); }

/// Used by sw/workloads/trace/trace.cpp.
void hypermon_sleep(double seconds) {
  execution().pay(rank_table().self());
  execution().sleep_for(seconds);
}

/// See sw/include/hypermon.h.
void hypermon_emit(unsigned kind, unsigned a, unsigned b, unsigned c) {
  if (kind >= user_kinds) return;
  RankState& self = rank_table().self();
  catch_up(self);
  for (ProgramObserver* observer : execution().program_observers(self)) observer->emit(self, {kind, a, b, c});
  execution().emit(self, user_point(kind), {.a = a, .b = b, .c = c});
}

/// See sw/include/hypermon.h.
void hypermon_event(unsigned char value) {
  RankState& self = rank_table().self();
  catch_up(self);
  for (ProgramObserver* observer : execution().program_observers(self)) observer->event(self, value);
  execution().kernel_work(self, [&](NodeKernel& k) { k.emit(Point::user, {.value = value}); });
}
}
