// SPDX-License-Identifier: BSD-3-Clause
// Calls and times of one process' routines: MPI's functions, and what the program brackets with hypermon_timer_start()
// and hypermon_timer_stop(). Routines nest.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon {

class RoutineTimers {
public:
  void start(std::uint32_t routine, Time now);
  /// False if it is not the innermost that runs: nothing is stopped then.
  bool stop(std::uint32_t routine, Time now);
  bool runs(std::uint32_t routine) const { return routine < kept_.size() && kept_[routine].depth > 0; }
  /// All that run, the innermost last; one that has called itself more than once.
  std::vector<std::uint32_t> stack() const;
  /// The innermost that runs.
  std::optional<std::uint32_t> running() const {
    return stack_.empty() ? std::nullopt : std::optional(stack_.back().routine);
  }

  struct Totals {
    std::uint64_t calls = 0;       ///< begun
    std::uint64_t subroutines = 0; ///< begun by it: calls of other routines, or of itself
    Time inclusive;                ///< in it and in what it called; once, where it called itself
    Time exclusive;                ///< in it alone
  };
  /// At `now`, what runs included; for a date before the last start or stop (a process may be ahead of who reads:
  /// Execution::owe), at that.
  Totals read(std::uint32_t routine, Time now) const;

private:
  struct Running {
    std::uint32_t routine;
    Time begin;
    Time inner; // time in what it called, and that has stopped
  };
  struct Kept : Totals {
    std::uint32_t depth = 0; // how often it is on the stack
  };
  Kept& of(std::uint32_t routine);

  std::vector<Kept> kept_; // by routine
  Time last_;              // start or stop
  std::vector<Running> stack_;
};

} // namespace hypermon
