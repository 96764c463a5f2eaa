// SPDX-License-Identifier: BSD-3-Clause
// What TAU's library measures in one process: its routines and MPI functions, in the order in which they were first
// met. All times are readings of the clock that it reads. No simulation kernel: the caller says what time it is.
#pragma once
#include "sw/os/timers.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::tau {

/// Which timers are switched off: those of more than so many calls that take less than that each on the average, what
/// they call included. Off: none.
struct Throttle {
  bool on = false;
  std::uint64_t calls = 100'000;
  Time per_call = 10_us;
};

/// Behind the name of a timer that is switched off.
constexpr std::string_view throttled_mark = " [THROTTLED]";

/// A line of a profile.
struct Line {
  std::string name;
  std::string group;
  std::uint64_t calls = 0;
  std::uint64_t subroutines = 0;
  Time exclusive;
  Time inclusive;
  bool operator==(const Line&) const = default;
};

class Profile {
public:
  explicit Profile(const Throttle& throttle) : throttle_(throttle) {}

  /// Its number among the process's.
  std::uint32_t add(std::string_view name, std::string_view group);
  bool is_throttled(std::uint32_t routine) const { return routines_[routine].throttled; }
  /// How many are.
  std::uint64_t throttled() const { return throttled_; }
  /// These alone are switched off by somebody else from now on, by their names in lines(): each as soon as it does not
  /// run. They may be added later.
  void switch_off(const std::set<std::string, std::less<>>& names);
  /// Asked once, before start() and stop(), which are not called then: is the timer left out this time?
  bool leaves_out_start(std::uint32_t routine) {
    Routine& one = routines_[routine];
    if (one.throttled) return true;
    if (!one.to_be_off && one.left_out == 0) [[likely]]
      return false;
    if (one.left_out == 0 && timers_.runs(routine)) return false; // what has begun is measured to its end
    ++one.left_out;
    return true;
  }
  bool leaves_out_stop(std::uint32_t routine) {
    Routine& one = routines_[routine];
    if (one.throttled) return true;
    if (one.left_out == 0) return false;
    --one.left_out;
    return true;
  }
  void start(std::uint32_t routine, Time reading) { timers_.start(routine, reading); }
  /// Switches it off if it is to be: never while it still runs, because it has called itself. False if it is not the
  /// innermost that runs.
  bool stop(std::uint32_t routine, Time reading);

  /// Those that have been called, what runs included.
  std::vector<Line> lines(Time reading) const;
  /// Those that run, the innermost last.
  std::vector<std::string_view> running() const;

private:
  struct Routine {
    std::string name;
    std::string group;
    bool throttled = false;
    bool to_be_off = false;     ///< switched off by somebody else
    std::uint64_t left_out = 0; ///< starts without a timer whose stops have not come
  };

  Throttle throttle_;
  RoutineTimers timers_;
  std::vector<Routine> routines_;
  std::uint64_t throttled_ = 0;
  std::set<std::string, std::less<>> off_;
};

} // namespace hypermon::tau
