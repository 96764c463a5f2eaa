// SPDX-License-Identifier: BSD-3-Clause
// A list of actions with their times, without a simulation kernel: the caller reads next(), and calls advance() when
// that time has come.
#pragma once
#include "base/time.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace hypermon {

class Agenda {
public:
  using Action = std::function<void()>;

  Time now() const { return now_; }
  /// The time must not be in the past. Actions of one time run in the order in which they were added.
  void at(Time date, Action action) { actions_.push({std::max(date, now_), number_++, std::move(action)}); }
  /// Time of the next action; never if no action is pending.
  Time next() const { return actions_.empty() ? Time::never() : actions_.top().date; }
  /// Moves the time to `now`: runs all due actions, including due ones that are added during the call.
  void advance(Time now) {
    while (next() <= now) {
      now_ = next();
      const Action action = std::move(const_cast<Entry&>(actions_.top()).action); // top() is const; popped next
      actions_.pop();
      action();
    }
    now_ = std::max(now_, now);
  }

private:
  struct Entry {
    Time date;
    std::uint64_t number;
    Action action;
    bool operator<(const Entry& other) const { return date != other.date ? date > other.date : number > other.number; }
  };
  std::priority_queue<Entry> actions_;
  std::uint64_t number_ = 0;
  Time now_;
};

} // namespace hypermon
