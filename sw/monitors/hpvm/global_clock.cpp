// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hpvm/global_clock.hpp"

#include <cmath>

namespace hypermon::hpvm {
namespace {

Time scaled(Time t, long double by) { return Time::from_ps(std::llroundl(static_cast<long double>(t.ps()) * by)); }
long double ratio(Time a, Time b) { return static_cast<long double>(a.ps()) / static_cast<long double>(b.ps()); }
Time half(Time t) { return Time::from_ps((t.ps() + 1) / 2); }
/// Half of a reading's resolution, measured by another clock.
Time rounding(const ClockAssumptions& assumed) { return scaled(half(assumed.resolution), 1 + 2 * assumed.drift); }

constexpr Time arithmetic = 4_ps; // error of a few roundings to picoseconds

} // namespace

Fix fix_of(Time sent, Time received, Time local, const ClockAssumptions& assumed) {
  // The node read its clock between sent + least and received + resolution - least. The fix is the middle of that
  // interval, the bound half its width.
  const Time middle = half(sent + received + assumed.resolution);
  const Time width = half(received + assumed.resolution - sent) - scaled(assumed.least, 1 - assumed.drift);
  return {local + half(assumed.resolution), middle, width + rounding(assumed) + arithmetic};
}

Time GlobalClock::at(Time local) const {
  if (!is_line()) return from_the_start_alone(local);
  const Time since = local + half(assumed_.resolution) - before_->local;
  return before_->monitor + scaled(since, ratio(after_->monitor - before_->monitor, after_->local - before_->local));
}

Time GlobalClock::from_the_start_alone(Time local) const {
  return before_->monitor + (local + half(assumed_.resolution) - before_->local);
}

Time GlobalClock::bound(Time local) const {
  const Time since = local + half(assumed_.resolution) - before_->local;
  Time fix = before_->bound;
  if (is_line()) { // the bound is linear as well, and grows outside of the fixes
    const long double part = ratio(since, after_->local - before_->local);
    fix = scaled(before_->bound, std::abs(1 - part)) + scaled(after_->bound, std::abs(part));
  } else {
    fix += scaled(Time::from_ps(std::abs(since.ps())), 2 * assumed_.drift); // both clocks drift
  }
  return fix + rounding(assumed_) + arithmetic;
}

double GlobalClock::drift() const {
  if (!is_line()) return 0;
  return static_cast<double>(ratio(after_->monitor - before_->monitor, after_->local - before_->local) - 1);
}

} // namespace hypermon::hpvm
