// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/deaths.hpp"

#include <algorithm>

namespace hypermon {

Deaths::Deaths(const std::vector<Failure>& failures, const std::function<bool(const Failure&)>& hits,
               std::size_t node) {
  for (const Failure& failure : failures)
    if (hits(failure))
      all_.push_back({failure.begin, failure.end, failure.kind == node ? Closed::silent : Closed::resets});
  std::ranges::stable_sort(all_, {}, &Death::begin);
}

Time Deaths::dead_until(Time end) {
  for (; next() <= end && next_ < all_.size(); ++next_) end = std::max(end, all_[next_].end);
  return end;
}

} // namespace hypermon
