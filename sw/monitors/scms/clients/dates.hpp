// SPDX-License-Identifier: BSD-3-Clause
// The times of a client's calls. A client begins at a true time, and then waits by the clock of its computer.
#pragma once
#include "hw/machine/node_clock.hpp"
#include "sw/monitors/scms/clients/params.hpp"
#include "sw/workloads/common/random.hpp"

#include <cmath>

namespace hypermon::scms {

class Dates {
public:
  Dates(const ScmsClientParams& params, const NodeClock& clock, std::uint64_t seed)
      : period_(params.period_s), begin_(params.begin_s), end_(params.end_s), clock_(clock),
        is_random_(params.arrival == ScmsArrival::random), random_(seed) {
    advance();
  }
  Time date() const { return date_; }
  bool is_random() const { return is_random_; }
  /// True if the client has ended before date(). It ends by its own clock, too.
  bool is_over() const { return end_ > Time{} && begin_ + waited_ > end_; }
  /// Advances to the next call.
  void advance() {
    ++number_;
    if (is_random_)
      waited_ += Time::from_seconds_rounded(-std::log1p(-random_.uniform()) * period_.seconds());
    else
      waited_ = number_ * period_;
    date_ = clock_.after(begin_, waited_);
  }

private:
  Time period_;
  Time begin_;
  Time end_;
  NodeClock clock_;
  Time waited_; // since begin_, by the clock
  Time date_;
  bool is_random_;
  workloads::SplitMix64 random_;
  std::int64_t number_ = 0;
};

} // namespace hypermon::scms
