// SPDX-License-Identifier: BSD-3-Clause
// A naive profiler: it steps through every unit of time and asks whose it is.
#pragma once
#include "sw/monitors/tau/core/profile.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace hypermon::tau::test {

/// An action of a process, at a time that does not decrease.
struct Step {
  enum class Kind { start, stop } kind;
  std::int64_t at;
  std::uint32_t routine;
};

class Stepping {
public:
  Stepping(std::size_t routines, const Throttle& throttle) : throttle_(throttle), totals_(routines) {}

  /// One picosecond passes.
  void pass() {
    if (!stack_.empty()) ++totals_[stack_.back()].exclusive;
    for (const std::uint32_t routine : std::set(stack_.begin(), stack_.end())) ++totals_[routine].inclusive;
  }
  /// Switches routines off from outside: each from its next start that is not inside a call of it.
  void switch_off(const std::set<std::uint32_t>& routines) { asked_off_ = routines; }
  void start(std::uint32_t routine) {
    if (totals_[routine].begun++ == 0) totals_[routine].left_out = asked_off_.contains(routine);
    if (totals_[routine].off || totals_[routine].left_out) return;
    if (!stack_.empty()) ++totals_[stack_.back()].subroutines;
    ++totals_[routine].calls;
    stack_.push_back(routine);
  }
  void stop(std::uint32_t routine) {
    --totals_[routine].begun;
    if (totals_[routine].off || totals_[routine].left_out) return;
    stack_.pop_back();
    Totals& kept = totals_[routine];
    const bool outermost = std::find(stack_.begin(), stack_.end(), routine) == stack_.end();
    const double mean = static_cast<double>(kept.inclusive) / static_cast<double>(kept.calls);
    kept.off = throttle_.on && outermost && kept.calls > throttle_.calls &&
               mean < static_cast<double>(throttle_.per_call.ps());
  }
  std::vector<Line> lines() const {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < totals_.size(); ++i)
      if (const Totals& kept = totals_[i]; kept.calls > 0)
        lines.push_back({"r" + std::to_string(i) + (kept.off ? " [THROTTLED]" : ""), kept.off ? "TAU_DISABLE" : "g",
                         kept.calls, kept.subroutines, Time::from_ps(kept.exclusive), Time::from_ps(kept.inclusive)});
    return lines;
  }
  const std::vector<std::uint32_t>& stack() const { return stack_; }

private:
  struct Totals {
    std::uint64_t calls = 0;
    std::uint64_t subroutines = 0;
    std::int64_t exclusive = 0;
    std::int64_t inclusive = 0;
    bool off = false;
    std::int64_t begun = 0; ///< calls that have not ended, as the program knows them
    bool left_out = false;  ///< these
  };
  Throttle throttle_;
  std::vector<Totals> totals_;
  std::vector<std::uint32_t> stack_;
  std::set<std::uint32_t> asked_off_;
};

} // namespace hypermon::tau::test
