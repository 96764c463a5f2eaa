// SPDX-License-Identifier: BSD-3-Clause
// CPU time that measurement costs a process.
#pragma once
#include "sw/monitors/tau/params.hpp"

namespace hypermon::tau {

/// Nominal CPU time of a timer. TAU reads the clock first in both its start and its stop, and does its bookkeeping
/// afterwards. So the bookkeeping of the start counts as the timer's own time, and that of the stop as the time of the
/// enclosing routine.
struct TimerCosts {
  explicit TimerCosts(const TauParams& params)
      : reading(params.clock == TauClock::gettimeofday ? Time(params.gettimeofday_us) : Time(params.rdtsc_ns)),
        start(half(Time(params.timer_us) - 2 * Time(params.gettimeofday_us) + 2 * reading)),
        stop(Time(params.timer_us) - 2 * Time(params.gettimeofday_us) + 2 * reading - start), until_read(half(reading)),
        look(half(params.throttled_ns)),
        access(params.clock == TauClock::gettimeofday ? Time(params.clock_access_us) : Time{}),
        until_access(half(reading - access)) {}

  Time reading;      ///< duration of one read of the clock
  Time start;        ///< complete start
  Time stop;         ///< complete stop
  Time until_read;   ///< from the begin of a start or stop to the instant that the clock shows
  Time look;         ///< cost of the start or stop of a timer that is switched off
  Time access;       ///< part of a read that keeps the node's clock busy; 0: processes share no clock
  Time until_access; ///< from the begin of a read to that part, in its middle

private:
  static Time half(Time time) { return Time::from_ps(time.ps() / 2); }
};

} // namespace hypermon::tau
