// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's date in picoseconds, and timers at such a date.
#pragma once
#include "base/time.hpp"

#include <simgrid/engine.h>
#include <simgrid/forward.h>
#include <xbt/functional.hpp>

#include <algorithm>
#include <utility>

namespace hypermon {

/// To the nearest picosecond.
inline Time simgrid_now() { return Time::from_seconds_rounded(simgrid_get_clock()); }

/// Calls `action` at the date, in maestro. SimGrid's doubles may have passed it by less than a picosecond: a timer
/// below the clock's date asserts there, so it is set to the clock's then.
simgrid::kernel::timer::Timer* set_timer_of(Time date, simgrid::xbt::Task<void()>&& action);
template <class Action> simgrid::kernel::timer::Timer* set_timer(Time date, Action&& action) {
  return set_timer_of(date, simgrid::xbt::Task<void()>(std::forward<Action>(action)));
}

} // namespace hypermon
