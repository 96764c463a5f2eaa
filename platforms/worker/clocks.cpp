// SPDX-License-Identifier: BSD-3-Clause
// Replacements of the C library's clock functions. A rank reads simulated time, from 0 at the begin of the simulation,
// on every clock, because host time would make results differ from run to run. Processor time is simulated time as
// well, since a node runs one process. Each read takes simulated time (sw/mpi/repeated_clock_reads.hpp).
//
// The clocks of libstdc++, Fortran and OpenMP call these functions. SimGrid, the worker and threads of the program read
// the host's clocks, so a thread's timed wait uses host time. Not covered: the processor's own counter (rdtsc).
#include "platforms/worker/c_library.hpp"
#include "platforms/worker/children.hpp"
#include "platforms/worker/ranks.hpp"
#include "sw/mpi/repeated_clock_reads.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <optional>

namespace hypermon {
namespace {

bool is_program(const void* caller) {
  static const LoadedObject worker = object_at(reinterpret_cast<const void*>(&is_program));
  static const LoadedObject simgrid = object_at(dlsym(RTLD_DEFAULT, "simgrid_get_clock"));
  return !worker.contains(caller) && !simgrid.contains(caller);
}

/// Simulated seconds for the calling rank; none if the C library must answer.
std::optional<double> look(const void* caller, const void* frame) {
  if (reads_again(caller, frame)) return read_again();
  if (!is_program(caller)) return std::nullopt;
  if (!ranks().current() || in_child()) return std::nullopt;
  if (ranks().is_loading()) return 0.0;
  return look_at_clock(rank_table().self(), caller, frame);
}

long whole(double seconds) { return static_cast<long>(seconds); }
timeval as_timeval(double seconds) { return {whole(seconds), whole((seconds - std::trunc(seconds)) * 1e6)}; }
timespec as_timespec(double seconds) { return {whole(seconds), whole((seconds - std::trunc(seconds)) * 1e9)}; }

int read_clock(const void* caller, const void* frame, clockid_t clock, timespec* time) {
  if (const auto now = look(caller, frame)) return *time = as_timespec(*now), 0;
  static auto* const next = real<int(clockid_t, timespec*)>("clock_gettime");
  return next(clock, time);
}

int read_time_of_day(const void* caller, const void* frame, timeval* time, void* zone) {
  if (const auto now = look(caller, frame)) {
    if (time != nullptr) *time = as_timeval(*now);
    return 0;
  }
  static auto* const next = real<int(timeval*, void*)>("gettimeofday");
  return next(time, zone);
}

} // namespace

LIBC(int, clock_gettime, clockid_t clock, timespec* time) {
  return read_clock(__builtin_return_address(0), __builtin_frame_address(0), clock, time);
}
LIBC(int, gettimeofday, timeval* time, void* zone) {
  return read_time_of_day(__builtin_return_address(0), __builtin_frame_address(0), time, zone);
}
// smpicc renames calls to these functions.
LIBC(int, smpi_clock_gettime, clockid_t clock, timespec* time) {
  return read_clock(__builtin_return_address(0), __builtin_frame_address(0), clock, time);
}
LIBC(int, smpi_gettimeofday, timeval* time, void* zone) {
  return read_time_of_day(__builtin_return_address(0), __builtin_frame_address(0), time, zone);
}

LIBC(std::time_t, time, std::time_t* time) {
  if (const auto now = look(__builtin_return_address(0), __builtin_frame_address(0))) {
    if (time != nullptr) *time = whole(*now);
    return whole(*now);
  }
  static auto* const next = real<std::time_t(std::time_t*)>("time");
  return next(time);
}
LIBC(int, timespec_get, timespec* time, int base) {
  if (base == TIME_UTC)
    if (const auto now = look(__builtin_return_address(0), __builtin_frame_address(0)))
      return *time = as_timespec(*now), base;
  static auto* const next = real<int(timespec*, int)>("timespec_get");
  return next(time, base);
}
LIBC(std::clock_t, clock, void) {
  if (const auto now = look(__builtin_return_address(0), __builtin_frame_address(0)))
    return whole(*now * CLOCKS_PER_SEC);
  static auto* const next = real<std::clock_t()>("clock");
  return next();
}
LIBC(std::clock_t, times, tms* all) {
  if (const auto now = look(__builtin_return_address(0), __builtin_frame_address(0))) {
    const std::clock_t ticks = whole(*now * static_cast<double>(sysconf(_SC_CLK_TCK)));
    if (all != nullptr) *all = {ticks, 0, 0, 0};
    return ticks;
  }
  static auto* const next = real<std::clock_t(tms*)>("times");
  return next(all);
}
/// The time is the only resource usage known for a rank; memory usage would be the host's.
LIBC(int, getrusage, int who, rusage* all) {
  if (const auto now = look(__builtin_return_address(0), __builtin_frame_address(0))) {
    *all = {};
    if (who != RUSAGE_CHILDREN) all->ru_utime = as_timeval(*now);
    return 0;
  }
  static auto* const next = real<int(int, rusage*)>("getrusage");
  return next(who, all);
}

} // namespace hypermon
