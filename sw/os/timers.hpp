// SPDX-License-Identifier: BSD-3-Clause
// Calls and times of the routines of one process: MPI functions, and routines that the program brackets with
// hypermon_timer_start() and hypermon_timer_stop(). Routines nest.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon {

class RoutineTimers {
public:
  void start(std::uint32_t routine, Time now);
  /// Returns false, and stops nothing, if `routine` is not the innermost running routine.
  bool stop(std::uint32_t routine, Time now);
  bool runs(std::uint32_t routine) const { return routine < kept_.size() && kept_[routine].depth > 0; }
  /// All running routines, the innermost last. A recursive routine appears once.
  std::vector<std::uint32_t> stack() const;
  /// The innermost running routine.
  std::optional<std::uint32_t> running() const {
    return stack_.empty() ? std::nullopt : std::optional(stack_.back().routine);
  }

  struct Totals {
    std::uint64_t calls = 0;       ///< calls begun
    std::uint64_t subroutines = 0; ///< calls of other routines or of itself that it has begun
    Time inclusive;                ///< time in it and in what it called; a recursion counts once
    Time exclusive;                ///< time in it alone
  };
  /// Totals at `now`, running calls included. A `now` before the last start or stop is replaced by that moment: the
  /// process may be ahead of the reader (see Execution::owe).
  Totals read(std::uint32_t routine, Time now) const;

private:
  struct Running {
    std::uint32_t routine;
    Time begin;
    Time inner; // time in routines that it called and that have ended
  };
  struct Kept : Totals {
    std::uint32_t depth = 0; // number of its occurrences on the stack
  };
  Kept& entry(std::uint32_t routine);

  std::vector<Kept> kept_; // by routine
  Time last_;              // start or stop
  std::vector<Running> stack_;
};

} // namespace hypermon
