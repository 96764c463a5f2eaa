// SPDX-License-Identifier: BSD-3-Clause
// What measuring takes of a process's CPU.
#pragma once
#include "sw/monitors/tau/params.hpp"

namespace hypermon::tau {

/// Of a timer, nominal CPU time. TAU reads the clock first thing in both its start and its stop, and does its
/// bookkeeping afterwards: what comes behind the start's reading is in the timer's own time, what comes behind the
/// stop's in that of the routine around it.
struct TimerCosts {
  explicit TimerCosts(const TauParams& params)
      : reading(params.clock == TauClock::gettimeofday ? Time(params.gettimeofday_us) : Time(params.rdtsc_ns)),
        start(half(Time(params.timer_us) - 2 * Time(params.gettimeofday_us) + 2 * reading)),
        stop(Time(params.timer_us) - 2 * Time(params.gettimeofday_us) + 2 * reading - start), until_read(half(reading)),
        look(half(params.throttled_ns)) {}

  Time reading;    ///< of the clock
  Time start;      ///< all of it
  Time stop;       ///< all of it
  Time until_read; ///< from the beginning of either until the instant that the clock shows
  Time look;       ///< either, of one that is switched off

private:
  static Time half(Time time) { return Time::from_ps(time.ps() / 2); }
};

} // namespace hypermon::tau
