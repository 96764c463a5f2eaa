// SPDX-License-Identifier: BSD-3-Clause
// What is to be done at which date. No simulation kernel: who has the time asks next(), and calls advance().
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
  /// Not in the past. Of one date, what was asked for first comes first.
  void at(Time date, Action action) { actions_.push({std::max(date, now_), number_++, std::move(action)}); }
  /// never: nothing is to be done.
  Time next() const { return actions_.empty() ? Time::never() : actions_.top().date; }
  /// Time has come to `now`: what is due is done, what is asked for meanwhile and due, too.
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
