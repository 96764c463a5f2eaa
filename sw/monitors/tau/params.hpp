// SPDX-License-Identifier: BSD-3-Clause
// Parameters of TAU's measurement.
#pragma once
#include "base/choice.hpp"
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

} // namespace hypermon
