// SPDX-License-Identifier: BSD-3-Clause
// Corrects a clock with a straight line between two comparisons with another clock.
#pragma once
#include "base/time.hpp"

#include <optional>

namespace hypermon::software {

class ClockLine {
public:
  /// When the clock showed `at`, it was `offset` ahead of the other clock.
  struct Compared {
    Time at;
    Time offset;
  };
  /// Without a comparison times stay unchanged.
  ClockLine() = default;
  /// With a single comparison its offset applies at all times.
  ClockLine(std::optional<Compared> begin, std::optional<Compared> end) {
    first_ = begin ? *begin : end.value_or(Compared{});
    last_ = end.value_or(first_);
  }
  /// Time of the other clock, to the nearest picosecond.
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
