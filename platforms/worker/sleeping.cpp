// SPDX-License-Identifier: BSD-3-Clause
// sleep() and related functions, under smpicc's names and as libraries call them: the rank sleeps in simulated time,
// and deadlock detection is informed.
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/children.hpp"
#include "platforms/worker/ranks.hpp"
#include "sw/mpi/repeated_clock_reads.hpp"

#include <simgrid/engine.h>

#include <cerrno>
#include <ctime>
#include <unistd.h>

namespace hypermon {
namespace {

double seconds_of(const timespec& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Returns false if the host must sleep instead.
bool sleep_for(double seconds) {
  if (!ranks().current() || ranks().is_loading() || in_child()) return false;
  catch_up(rank_table().self());
  execution().check_reach(seconds);
  execution().rest_until(rank_table().self(), simgrid_now() + Time::from_seconds_rounded(seconds));
  return true;
}

} // namespace

LIBC(unsigned, sleep, unsigned seconds) {
  if (sleep_for(seconds)) return 0;
  static auto* const next = real<unsigned(unsigned)>("sleep");
  return next(seconds);
}
LIBC(int, usleep, useconds_t microseconds) {
  if (sleep_for(microseconds * 1e-6)) return 0;
  static auto* const next = real<int(useconds_t)>("usleep");
  return next(microseconds);
}
LIBC(int, nanosleep, const timespec* wanted, timespec* left) {
  if (sleep_for(seconds_of(*wanted))) return 0;
  static auto* const next = real<int(const timespec*, timespec*)>("nanosleep");
  return next(wanted, left);
}
LIBC(int, clock_nanosleep, clockid_t clock, int flags, const timespec* wanted, timespec* left) {
  const double begin = (flags & TIMER_ABSTIME) != 0 ? simgrid_get_clock() : 0;
  if (sleep_for(std::max(0.0, seconds_of(*wanted) - begin))) return 0;
  static auto* const next = real<int(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  return next(clock, flags, wanted, left);
}
LIBC(unsigned, smpi_sleep, unsigned seconds) { return own_sleep(seconds); }
LIBC(int, smpi_usleep, useconds_t microseconds) { return own_usleep(microseconds); }
LIBC(int, smpi_nanosleep, const timespec* wanted, timespec* left) { return own_nanosleep(wanted, left); }

} // namespace hypermon
