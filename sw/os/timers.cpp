// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/timers.hpp"

#include <algorithm>

namespace hypermon {

RoutineTimers::Kept& RoutineTimers::entry(std::uint32_t routine) {
  if (kept_.size() <= routine) kept_.resize(routine + 1);
  return kept_[routine];
}

void RoutineTimers::start(std::uint32_t routine, Time now) {
  last_ = now;
  Kept& kept = entry(routine);
  ++kept.calls;
  ++kept.depth;
  if (!stack_.empty()) ++kept_[stack_.back().routine].subroutines;
  stack_.push_back({routine, now, {}});
}

bool RoutineTimers::stop(std::uint32_t routine, Time now) {
  if (running() != routine) return false;
  last_ = now;
  const Running ended = stack_.back();
  stack_.pop_back();
  const Time took = now - ended.begin;
  Kept& kept = entry(routine);
  kept.exclusive += took - ended.inner;
  if (--kept.depth == 0) kept.inclusive += took;
  if (!stack_.empty()) stack_.back().inner += took;
  return true;
}

std::vector<std::uint32_t> RoutineTimers::stack() const {
  std::vector<std::uint32_t> routines;
  for (const Running& one : stack_) routines.push_back(one.routine);
  return routines;
}

RoutineTimers::Totals RoutineTimers::read(std::uint32_t routine, Time now) const {
  if (routine >= kept_.size()) return {};
  now = std::max(now, last_);
  Totals totals = kept_[routine];
  bool outermost = true;
  for (auto it = stack_.begin(); it != stack_.end(); ++it) {
    if (it->routine != routine) continue;
    const Time inner_begin = it + 1 == stack_.end() ? now : (it + 1)->begin;
    totals.exclusive += inner_begin - it->begin - it->inner;
    if (outermost) totals.inclusive += now - it->begin;
    outermost = false;
  }
  return totals;
}

} // namespace hypermon
