// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/core/profile.hpp"

#include <algorithm>
#include <utility>

namespace hypermon::tau {

std::uint32_t Profile::add(std::string_view name, std::string_view group) {
  std::string kept(name);
  std::ranges::replace(kept, '"', '\''); // a quote would end the name in TAU's files
  std::ranges::replace(kept, '\n', ' ');
  const bool to_be_off = off_.contains(kept);
  routines_.push_back({.name = std::move(kept), .group = std::string(group), .to_be_off = to_be_off});
  return static_cast<std::uint32_t>(routines_.size() - 1);
}

void Profile::switch_off(const std::set<std::string, std::less<>>& names) {
  off_ = names;
  for (Routine& one : routines_) one.to_be_off = off_.contains(one.name);
}

bool Profile::stop(std::uint32_t routine, Time reading) {
  if (!timers_.stop(routine, reading)) return false;
  if (!throttle_.on || timers_.runs(routine)) return true;
  const RoutineTimers::Totals totals = timers_.read(routine, reading);
  if (totals.calls <= throttle_.calls ||
      totals.inclusive.ps() / static_cast<std::int64_t>(totals.calls) >= throttle_.per_call.ps())
    return true;
  routines_[routine].throttled = true;
  ++throttled_;
  return true;
}

std::vector<Line> Profile::lines(Time reading) const {
  std::vector<Line> lines;
  for (std::uint32_t i = 0; i < routines_.size(); ++i) {
    const RoutineTimers::Totals totals = timers_.read(i, reading);
    if (totals.calls == 0) continue;
    const Routine& one = routines_[i];
    lines.push_back({one.throttled ? one.name + std::string(throttled_mark) : one.name,
                     one.throttled ? "TAU_DISABLE" : one.group, totals.calls, totals.subroutines, totals.exclusive,
                     totals.inclusive});
  }
  return lines;
}

std::vector<std::string_view> Profile::running() const {
  std::vector<std::string_view> names;
  for (const std::uint32_t routine : timers_.stack()) names.emplace_back(routines_[routine].name);
  return names;
}

} // namespace hypermon::tau
