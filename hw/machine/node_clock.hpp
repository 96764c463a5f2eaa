// SPDX-License-Identifier: BSD-3-Clause
// A node's own crystal. It drives the clock that the node reads, and also its CPU, port and tick.
#pragma once
#include "base/time.hpp"

#include <algorithm>
#include <cmath>

namespace hypermon {

class NodeClock {
public:
  NodeClock() = default;
  /// A crystal whose period is (1 + drift) of the nominal one; the clock shows `offset` at true time 0.
  NodeClock(double drift, Time offset, Time resolution) : drift_(drift), offset_(offset), resolution_(resolution) {}

  /// The same crystal with another resolution.
  NodeClock in_units_of(Time resolution) const { return {drift_, offset_, resolution}; }
  /// True time that work of `nominal` duration takes on this node.
  Time stretch(Time nominal) const {
    return nominal + Time::from_ps(std::llround(static_cast<double>(nominal.ps()) * drift_));
  }
  /// Time that the node reads at true time t, in whole units of the resolution. Negative while its clock has not
  /// reached 0.
  Time read(Time t) const { return resolution_ * whole(local(t).ps(), resolution_); }
  /// Time that the node reads at true time t, in whole microseconds.
  std::int64_t read_us(Time t) const { return whole(read(t).ps(), 1_us); }

  // Timers of the node's processes. They follow the crystal, and do not depend on the resolution of readings.

  /// Time that the crystal has counted at true time t. It never decreases.
  Time local(Time t) const {
    return Time::from_ps(t.ps() - std::llround(static_cast<double>(t.ps()) * (drift_ / (1 + drift_)))) + offset_;
  }
  /// First true time, from `now` on, at which the crystal has counted `local_time`.
  Time when(Time local_time, Time now) const {
    if (local_time == Time::never()) return local_time;
    Time t = stretch(local_time - offset_); // rounded, so that it may be wrong by some picoseconds
    while (local(t) < local_time) t += 1_ps;
    while (local(t - 1_ps) >= local_time) t -= 1_ps;
    return std::max(t, now);
  }
  /// True time at which a timer ends that is set at `now` for `interval`. It is later than `now` if `interval` is
  /// greater than 0.
  Time after(Time now, Time interval) const {
    return interval == Time::never() ? interval : when(local(now) + interval, now);
  }
  /// Local time at which a process that starts at `now` and acts at whole multiples of `period` does so first. A
  /// multiple within the next hundredth of a period is skipped, so that slightly slow and slightly fast clocks begin in
  /// the same way.
  Time first_mark(Time now, Time period) const {
    const Time start = local(now);
    const Time mark = (whole(start.ps(), period) + 1) * period;
    return mark - start > Time::from_ps(period.ps() / 100) ? mark : mark + period;
  }

private:
  static std::int64_t whole(std::int64_t ps, Time unit) { return ps / unit.ps() - (ps % unit.ps() < 0 ? 1 : 0); }

  double drift_ = 0;
  Time offset_;
  Time resolution_ = Time::from_ns(1000);
};

} // namespace hypermon
