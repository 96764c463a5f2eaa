// SPDX-License-Identifier: BSD-3-Clause
// A clock that all processors of a node share.
#pragma once
#include "base/time.hpp"

#include <algorithm>
#include <deque>

namespace hypermon::tau {

/// A counter of a node's chipset, which serves one processor at a time. Processes run ahead of the simulation between
/// two interactions with others, so that their accesses are not reserved in the order of their times. An access takes
/// the first gap that is long enough.
class SharedClock {
public:
  /// `access`: time for which one access keeps the clock busy.
  explicit SharedClock(Time access) : access_(access) {}

  /// Reserves the clock for an access that may begin at `date`.
  ///
  /// `now`: no later call has an earlier time. Returns: the time for which the access waits.
  Time reserve(Time date, Time now) {
    while (!begins_.empty() && begins_.front() + access_ <= now) begins_.pop_front();
    // The first access that ends after `date`; all before it are over by then.
    auto next =
        std::partition_point(begins_.begin(), begins_.end(), [&](Time begin) { return begin + access_ <= date; });
    Time begin = date;
    for (; next != begins_.end() && *next < begin + access_; ++next) begin = *next + access_;
    begins_.insert(next, begin);
    return begin - date;
  }

private:
  Time access_;
  std::deque<Time> begins_; ///< begins of the accesses that end after the last `now`, in order
};

} // namespace hypermon::tau
