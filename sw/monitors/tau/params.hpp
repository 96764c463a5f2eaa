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
      Field{"clock", &P::clock, "The clock that a timer reads at its start and at its stop. rdtsc: the cycle counter.",
            "TAU over Supermon sec. 4: both"},
      Field{
          "timer_us", &P::timer_us, range(0, 1e6),
          "CPU time of a timer, start and stop, with gettimeofday: two readings and the bookkeeping. Half of it is at "
          "the start.",
          "facts (tau): assumed, with 4.7 % at 128 ranks (TAU over Supermon Fig. 2)"},
      Field{
          "gettimeofday_us", &P::gettimeofday_us, range(0, 1e6),
          "Of that, what one reading takes: with rdtsc a timer is cheaper by two of these, and dearer by two readings "
          "of the counter. At most half of timer_us.",
          "pg_test_timing(1): 0.72 us with the timer of ACPI, on which kernels 2.6 fell back where cores' counters "
          "run apart, as those of dual-core Opterons; 0.25 (a system call) to 0.95 is possible: presets "
          "tau/rdtsc_high, tau/rdtsc_low"},
      Field{"rdtsc_ns", &P::rdtsc_ns, range(0, 1e6), "What a reading of the cycle counter takes.",
            "facts (tau): recalled"},
      Field{"resolution_ns", &P::resolution_ns, range(1, 1e9),
            "Of gettimeofday; the cycle counter's is 1 ns (chosen: a cycle of 2.4 GHz is 0.4 ns).",
            "gettimeofday(2): microseconds"},
      Field{"throttle", &P::throttle, any_value(), "",
            "Timers of many short calls are switched off (TAU_THROTTLE), and cost a look from then on.",
            "facts (tau): found; evidently off in the runs of TAU over Supermon"},
      Field{"throttle_calls", &P::throttle_calls, range(0, 1'000'000'000), "",
            "Only timers of more calls than that (TAU_THROTTLE_NUMCALLS).", "TAU's user guide: 100000"},
      Field{"throttle_us", &P::throttle_us, range(0, 1e9),
            "And of less time a call, what it calls included (TAU_THROTTLE_PERCALL).", "TAU's user guide: 10"},
      Field{"throttled_ns", &P::throttled_ns, range(0, 1e6),
            "CPU time of a timer that is switched off, start and stop.", "chosen: a look at a mask of groups each"},
      Field{"dump", &P::dump,
            "When a process hands over its profile while it runs: never; at the program's dump points "
            "(hypermon_profile_dump); or once a period, at the first start or stop of a timer in it. Only with a "
            "transport.",
            "TAU over Supermon sec. 4 (at each iteration), sec. 5 (1 Hz)"},
      Field{"every", &P::every, range(1, 1'000'000'000), "", "At each so-many-th dump point of a process.",
            "TAU over Supermon sec. 4: each"},
      Field{"period_ms", &P::period_ms, range(1e-3, 1e9), "With dump = period, by true time.",
            "TAU over Supermon sec. 5: 1 Hz"},
      Field{"folders", &P::folders, any_value(), "",
            "Profiles are in a folder of their metric (MULTI__TIME), which each process makes first: TAU with multiple "
            "counters.",
            "TAU's source"},
      Field{"line_us", &P::line_us, range(0, 1e6),
            "CPU time of formatting a line of a profile: two numbers of 16 digits and three others.",
            "chosen: printf of such a number took 2 us on machines of then"},
      Field{"byte_ns", &P::byte_ns, range(0, 1e6), "And of each of its bytes.", "chosen: copied twice"},
      Field{"transport", &P::transport,
            "How profiles leave while the program runs. monitor: as the monitor's name says (tau: none, tau_nfs: file, "
            "tau_supermon: monhole). Another one is only for monitor tau, which can be told by the program's "
            "environment as well: TAU_TRANSPORT=file or monhole.",
            "TAU over Supermon sec. 3.3: at compile time, or by an environment variable (whose name is chosen)"});
}
static_assert(all_members_described<TauParams>());

} // namespace hypermon
