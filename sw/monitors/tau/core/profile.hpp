// What TAU's library measures in one process: its routines and MPI functions, in the order in which they were first
// met. All times are readings of the clock that it reads. No simulation kernel: the caller says what time it is.
#pragma once
#include "sw/model/timers.hpp"

#include <cstdint>
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
  /// Has it been switched off? Then it is neither started nor stopped.
  bool is_throttled(std::uint32_t routine) const { return routines_[routine].throttled; }
  /// How many have been.
  std::uint64_t throttled() const { return throttled_; }
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
  };

  Throttle throttle_;
  RoutineTimers timers_;
  std::vector<Routine> routines_;
  std::uint64_t throttled_ = 0;
};

} // namespace hypermon::tau
