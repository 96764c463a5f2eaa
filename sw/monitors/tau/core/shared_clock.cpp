// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/tau/core/shared_clock.hpp"

#include <algorithm>

namespace hypermon::tau {

Time SharedClock::reserve(Time date, Time now) {
  while (!begins_.empty() && begins_.front() + access_ <= now) begins_.pop_front();
  // The first access that ends after `date`; all before it are over by then.
  auto next = std::partition_point(begins_.begin(), begins_.end(), [&](Time begin) { return begin + access_ <= date; });
  Time begin = date;
  for (; next != begins_.end() && *next < begin + access_; ++next) begin = *next + access_;
  begins_.insert(next, begin);
  return begin - date;
}

} // namespace hypermon::tau
