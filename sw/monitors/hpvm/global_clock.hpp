// SPDX-License-Identifier: BSD-3-Clause
// The global clock: a node's estimate of the monitor's clock from probes (Cristian's algorithm), with a guaranteed
// error bound.
#pragma once
#include "base/time.hpp"

#include <optional>

namespace hypermon::hpvm {

/// Assumptions behind the error bound: no probe takes less than `least` one way, and no clock drifts by more than
/// `drift`.
struct ClockAssumptions {
  Time least;
  double drift;
  Time resolution; ///< resolution of each clock
};

/// When the node's clock showed `local`, the monitor's clock showed `monitor`, with an error of at most `bound`.
struct Fix {
  Time local;
  Time monitor;
  Time bound;
};

/// The fix from a probe that left at the monitor's time `sent` and returned at `received` with the node's reading
/// `local`. The node read its clock at least `least` after `sent` and at least `least` before `received`. Readings are
/// rounded down.
Fix fix_of(Time sent, Time received, Time local, const ClockAssumptions& assumed);

/// The global clock on one node.
class GlobalClock {
public:
  explicit GlobalClock(const ClockAssumptions& assumed) : assumed_(assumed) {}
  /// Keep the fix with the smaller bound.
  void before(const Fix& fix) { keep(before_, fix); }
  void after(const Fix& fix) { keep(after_, fix); }

  bool known() const { return before_.has_value(); }
  /// The fixes in use: one alone, or two that define a line.
  const std::optional<Fix>& fix_before() const { return before_; }
  std::optional<Fix> fix_after() const { return is_line() ? after_ : std::nullopt; }
  /// The monitor's time at that reading: on the line through both fixes, or from the first fix alone.
  Time at(Time local) const;
  Time from_the_start_alone(Time local) const;
  /// Largest error of at() against the monitor's true time, for a reading that was rounded down.
  Time bound(Time local) const;
  /// Relative excess of a node's second over a monitor's second; 0 without a second fix.
  double drift() const;
  /// The monitor's clock minus the node's clock, at the first fix.
  Time offset() const { return before_->monitor - before_->local; }

private:
  static void keep(std::optional<Fix>& kept, const Fix& fix) {
    if (!kept || fix.bound < kept->bound) kept = fix;
  }
  /// With a coarse clock both fixes may have the same reading; then they define no line.
  bool is_line() const { return after_ && after_->local > before_->local; }

  ClockAssumptions assumed_;
  std::optional<Fix> before_;
  std::optional<Fix> after_;
};

} // namespace hypermon::hpvm
