// SPDX-License-Identifier: BSD-3-Clause
// The times of a client's calls.
#pragma once
#include "sw/monitors/scms/clients/params.hpp"
#include "sw/workloads/common/random.hpp"

#include <cmath>

namespace hypermon::scms {

class Dates {
public:
  Dates(const ScmsClientParams& params, std::uint64_t seed)
      : period_(params.period_s), begin_(params.begin_s), date_(begin_),
        is_random_(params.arrival == ScmsArrival::random), random_(seed) {
    advance();
  }
  Time date() const { return date_; }
  bool is_random() const { return is_random_; }
  /// Advances to the next call.
  void advance() {
    ++number_;
    if (is_random_)
      date_ += Time::from_seconds_rounded(-std::log1p(-random_.uniform()) * period_.seconds());
    else
      date_ = begin_ + number_ * period_;
  }

private:
  Time period_;
  Time begin_;
  Time date_;
  bool is_random_;
  workloads::SplitMix64 random_;
  std::int64_t number_ = 0;
};

} // namespace hypermon::scms
