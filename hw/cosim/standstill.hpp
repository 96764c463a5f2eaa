// SPDX-License-Identifier: BSD-3-Clause
// Notices work without end at one simulated instant, by counting it: the same run is stopped at the same place always.
#pragma once
#include "base/time.hpp"

namespace hypermon {

class Standstill {
public:
  /// `most` steps may be done at one instant; 0: any number.
  explicit Standstill(std::int64_t most = 0) : most_(most) {}
  /// One more step, at `now`; true if it is one too many.
  bool step(Time now) {
    if (now != at_) {
      at_ = now;
      steps_ = 0;
    }
    return ++steps_ > most_ && most_ > 0;
  }

private:
  std::int64_t most_;
  std::int64_t steps_ = 0;
  Time at_;
};

} // namespace hypermon
