// SPDX-License-Identifier: BSD-3-Clause
// A clock put right by a straight line between two comparisons with another one.
#pragma once
#include "base/time.hpp"

#include <optional>

namespace hypermon::software {

class ClockLine {
public:
  /// By its own time `at` the clock was `offset` ahead.
  struct Compared {
    Time at;
    Time offset;
  };
  /// Nothing is known: times stay as they are.
  ClockLine() = default;
  /// Of one comparison alone the offset, whenever.
  ClockLine(std::optional<Compared> begin, std::optional<Compared> end) {
    first_ = begin ? *begin : end.value_or(Compared{});
    last_ = end.value_or(first_);
  }
  /// What the other clock would have shown, to the nearest picosecond.
  Time right(Time stamp) const {
    const std::int64_t span = (last_.at - first_.at).ps();
    if (span <= 0) return stamp - first_.offset;
    const double share = static_cast<double>((stamp - first_.at).ps()) / static_cast<double>(span);
    const Time rise = last_.offset - first_.offset;
    return stamp - first_.offset - Time::from_ps(nearest(static_cast<double>(rise.ps()) * share));
  }

private:
  Compared first_;
  Compared last_;
};

} // namespace hypermon::software
