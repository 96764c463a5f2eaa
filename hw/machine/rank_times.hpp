// SPDX-License-Identifier: BSD-3-Clause
// What a rank did in its measured section: it emitted events, it computed, and the rest was messages, calls and
// waiting.
#pragma once
#include "base/time.hpp"

#include <algorithm>

namespace hypermon {

/// Their sum is the section; none is below zero.
struct RankTimes {
  Time emission;
  Time compute;
  Time messages;
};

/// SimGrid ends what a rank does up to a nanosecond early (Machine's precision), and rounds times far from 0: accounts
/// may hold more than the section took.
inline RankTimes rank_times(Time section, Time emission, Time compute) {
  const Time emitted = std::min(emission, section);
  const Time computed = std::min(compute, section - emitted);
  return {emitted, computed, section - emitted - computed};
}

} // namespace hypermon
