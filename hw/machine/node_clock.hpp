// SPDX-License-Identifier: BSD-3-Clause
// A node's own crystal. It drives the clock that the node reads, and also its CPU, port and tick.
#pragma once
#include "base/time.hpp"

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
  Time read(Time t) const {
    const std::int64_t local =
        t.ps() - std::llround(static_cast<double>(t.ps()) * (drift_ / (1 + drift_))) + offset_.ps();
    return resolution_ * whole(local, resolution_);
  }
  /// The same time in whole microseconds.
  std::int64_t read_us(Time t) const { return whole(read(t).ps(), 1_us); }

private:
  static std::int64_t whole(std::int64_t ps, Time unit) { return ps / unit.ps() - (ps % unit.ps() < 0 ? 1 : 0); }

  double drift_ = 0;
  Time offset_;
  Time resolution_ = Time::from_ns(1000);
};

} // namespace hypermon
