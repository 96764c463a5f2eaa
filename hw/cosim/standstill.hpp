// SPDX-License-Identifier: BSD-3-Clause
// Detects endless work at one simulated instant by counting steps, so that equal runs always stop at the same place.
#pragma once
#include "base/time.hpp"

namespace hypermon {

class Standstill {
public:
  /// `most`: largest number of steps at one instant; 0: any number.
  explicit Standstill(std::int64_t most = 0) : most_(most) {}
  /// Counts a step at `now`. Returns true if it is one too many.
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
