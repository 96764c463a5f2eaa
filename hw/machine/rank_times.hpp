// SPDX-License-Identifier: BSD-3-Clause
// Division of a rank's measured section into emission of events, computation, and the rest: messages, calls and
// waiting.
#pragma once
#include "base/time.hpp"

#include <algorithm>

namespace hypermon {

/// The sum of the times is the section; none is negative.
struct RankTimes {
  Time emission;
  Time compute;
  Time messages;
};

/// SimGrid ends a rank's activities up to a nanosecond early (Machine's precision) and rounds times far from 0, so the
/// accounts may exceed the section. They are clamped.
inline RankTimes rank_times(Time section, Time emission, Time compute) {
  const Time emitted = std::min(emission, section);
  const Time computed = std::min(compute, section - emitted);
  return {emitted, computed, section - emitted - computed};
}

} // namespace hypermon
