// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's time in picoseconds, and timers at such a time.
#pragma once
#include "base/time.hpp"

#include <simgrid/engine.h>
#include <simgrid/forward.h>
#include <xbt/functional.hpp>

#include <algorithm>
#include <utility>

namespace hypermon {

/// Rounded to the nearest picosecond.
inline Time simgrid_now() { return Time::from_seconds_rounded(simgrid_get_clock()); }

/// Calls `action` in maestro at the time. SimGrid's clock, a double, may have passed the time by less than a
/// picosecond. SimGrid asserts that timers are not in the past, so the timer is then set to the clock's time.
simgrid::kernel::timer::Timer* set_timer_of(Time date, simgrid::xbt::Task<void()>&& action);
template <class Action> simgrid::kernel::timer::Timer* set_timer(Time date, Action&& action) {
  return set_timer_of(date, simgrid::xbt::Task<void()>(std::forward<Action>(action)));
}

} // namespace hypermon
