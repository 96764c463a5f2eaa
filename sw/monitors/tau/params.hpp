// SPDX-License-Identifier: BSD-3-Clause
// Parameters of TAU's measurement.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

enum class TauClock : std::uint8_t { gettimeofday, rdtsc };
constexpr auto words_of(TauClock) { return words("gettimeofday", "rdtsc"); }

enum class TauDump : std::uint8_t { never, point, period };
constexpr auto words_of(TauDump) { return words("never", "point", "period"); }

/// How profiles leave their processes while the program runs.
enum class TauTransport : std::uint8_t { monitor, none, file, monhole };
constexpr auto words_of(TauTransport) { return words("monitor", "none", "file", "monhole"); }

struct TauParams {
  TauClock clock = TauClock::gettimeofday;
  Microseconds timer_us = 2;
  Microseconds gettimeofday_us = 0.72;
  Microseconds clock_access_us = 0;
  Nanoseconds rdtsc_ns = 10;
  WholeNanoseconds resolution_ns = 1000;
  bool throttle = false;
  std::int64_t throttle_calls = 100'000;
  Microseconds throttle_us = 10;
  Nanoseconds throttled_ns = 50;
  TauDump dump = TauDump::point;
  std::int64_t every = 1;
  Milliseconds period_ms = 1000;
  bool folders = false;
  Microseconds line_us = 6;
  Nanoseconds byte_ns = 1;
  TauTransport transport = TauTransport::monitor;
};

constexpr auto fields_of(const TauParams*) {
  using P = TauParams;
  return fields(
      Field{"clock", &P::clock,
            "Clock that a timer reads at its start and at its stop. gettimeofday: the system call. rdtsc: the cycle "
            "counter.",
            "TAU over Supermon sec. 4: both"},
      Field{"timer_us", &P::timer_us, range(0, 1e6),
            "CPU time of one timer, start and stop together, with tau.clock = gettimeofday. It includes two clock "
            "reads and the bookkeeping; half of it falls on the start.",
            "facts (tau): assumed, with 4.7 % at 128 ranks (TAU over Supermon Fig. 2)"},
      Field{"gettimeofday_us", &P::gettimeofday_us, range(0, 1e6),
            "Part of tau.timer_us that one clock read takes, at most half of it. With tau.clock = rdtsc, a timer costs "
            "two such reads less and two reads of the cycle counter more.",
            "pg_test_timing(1): 0.72 us with the timer of ACPI, which kernels 2.6 used where the cores' counters drift "
            "apart, as on dual-core Opterons; 0.25 (a system call) to 0.95 is possible: presets "
            "tau/rdtsc_high, tau/rdtsc_low"},
      Field{"clock_access_us", &P::clock_access_us, range(0, 1e6),
            "Part of tau.gettimeofday_us for which a clock read keeps the only clock of its node busy. Other processes "
            "of the node that read the clock meanwhile wait for it. With 0 they do not wait.",
            "Linux: comment in hpet.c on CPUs that read a counter of the chipset at the same time; 0.47 (preset "
            "tau/shared_clock) is tau.gettimeofday_us without the 0.25 us of the system call"},
      Field{"rdtsc_ns", &P::rdtsc_ns, range(0, 1e6), "CPU time of one read of the cycle counter.",
            "facts (tau): recalled"},
      Field{"resolution_ns", &P::resolution_ns, range(1, 1e9),
            "Resolution of gettimeofday. The cycle counter's resolution is always 1 ns.",
            "gettimeofday(2): microseconds"},
      Field{"throttle", &P::throttle, any_value(), "",
            "Switch off timers of routines with many short calls (TAU_THROTTLE). From then on a call costs only "
            "tau.throttled_ns.",
            "facts (tau): found; evidently off in the runs of TAU over Supermon"},
      Field{"throttle_calls", &P::throttle_calls, range(0, 1'000'000'000), "",
            "Number of calls above which a timer may be switched off (TAU_THROTTLE_NUMCALLS).",
            "TAU's user guide: 100000"},
      Field{"throttle_us", &P::throttle_us, range(0, 1e9),
            "Mean inclusive time per call below which a timer may be switched off (TAU_THROTTLE_PERCALL).",
            "TAU's user guide: 10"},
      Field{"throttled_ns", &P::throttled_ns, range(0, 1e6),
            "CPU time of a timer that is switched off, start and stop together.",
            "chosen: start and stop each test a bit mask of timer groups"},
      Field{"dump", &P::dump,
            "Time at which a running process dumps its profile; it needs a transport. never: not at all. point: at the "
            "program's dump points (hypermon_profile_dump). period: once per tau.period_ms, at the next start or stop "
            "of a timer.",
            "TAU over Supermon sec. 4 (at each iteration), sec. 5 (1 Hz)"},
      Field{"every", &P::every, range(1, 1'000'000'000), "",
            "Number of dump points of a process from one dump to the next. 1: every dump point.",
            "TAU over Supermon sec. 4: each"},
      Field{"period_ms", &P::period_ms, range(1e-3, 1e9),
            "Period of dumps with tau.dump = period, by the clock of the process's node.",
            "TAU over Supermon sec. 5: 1 Hz"},
      Field{"folders", &P::folders, any_value(), "",
            "Write profiles into a folder per metric (MULTI__TIME), which each process creates first, as TAU with "
            "multiple counters does.",
            "TAU's source"},
      Field{"line_us", &P::line_us, range(0, 1e6),
            "CPU time of formatting one line of a profile: two numbers of 16 digits and three others.",
            "chosen: printf of such a number took 2 us on machines of that time"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e6),
            "CPU time that dumping a profile costs the process for each byte written.", "chosen: copied twice"},
      Field{"transport", &P::transport,
            "Export of profiles while the program runs. none: no export. file: NFS files. monhole: Supermon. monitor: "
            "as the monitor says (tau: none, tau_nfs: file, tau_supermon: monhole). The others need monitor = tau; the "
            "program's environment may also set TAU_TRANSPORT=file or monhole.",
            "TAU over Supermon sec. 3.3: at compile time, or by an environment variable (whose name is chosen)"});
}
static_assert(all_members_described<TauParams>());

} // namespace hypermon
