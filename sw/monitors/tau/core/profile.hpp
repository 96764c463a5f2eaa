// SPDX-License-Identifier: BSD-3-Clause
// Measurements of TAU's library in one process: its routines and MPI functions, in the order of their first use. All
// times are readings of the process's clock. No simulation kernel is used: the caller passes the time.
#pragma once
#include "sw/os/timers.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::tau {

/// Conditions for switching off a timer: more calls than `calls`, with an average inclusive time below `per_call`. Off:
/// no timer is switched off.
struct Throttle {
  bool on = false;
  std::uint64_t calls = 100'000;
  Time per_call = 10_us;
};

/// Suffix of the name of a timer that is switched off.
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

  /// Number of the routine in this process.
  std::uint32_t add(std::string_view name, std::string_view group);
  bool is_throttled(std::uint32_t routine) const { return routines_[routine].throttled; }
  /// Number of throttled routines.
  std::uint64_t throttled() const { return throttled_; }
  /// Switches off exactly the routines with these names (as in lines()), each as soon as it is not running. Names may
  /// refer to routines that are added later.
  void switch_off(const std::set<std::string, std::less<>>& names);
  /// Called once before each start() or stop(): returns true if the timer is omitted this time, and that call must not
  /// follow.
  bool leaves_out_start(std::uint32_t routine) {
    Routine& one = routines_[routine];
    if (one.throttled) return true;
    if (!one.to_be_off && one.left_out == 0) [[likely]]
      return false;
    if (one.left_out == 0 && timers_.runs(routine)) return false; // a running routine is measured to its end
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
  /// Throttles the routine if necessary, but not while it is still running in a recursion. Returns false if it is not
  /// the innermost running routine.
  bool stop(std::uint32_t routine, Time reading);

  /// The routines that have been called, running ones included.
  std::vector<Line> lines(Time reading) const;
  /// Names of the running routines, the innermost last.
  std::vector<std::string_view> running() const;

private:
  struct Routine {
    std::string name;
    std::string group;
    bool throttled = false;
    bool to_be_off = false;     ///< true if switch_off() has named the routine
    std::uint64_t left_out = 0; ///< starts without a timer whose stops have not yet followed
  };

  Throttle throttle_;
  RoutineTimers timers_;
  std::vector<Routine> routines_;
  std::uint64_t throttled_ = 0;
  std::set<std::string, std::less<>> off_;
};

} // namespace hypermon::tau
