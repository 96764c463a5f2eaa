// SPDX-License-Identifier: BSD-3-Clause
// The global clock: the monitor's, as it is known on the nodes from probes (Cristian), with the error that is promised.
#pragma once
#include "base/time.hpp"

#include <optional>

namespace hypermon::hpvm {

/// What rests on assumption: that no probe is faster than `least` one way, and no clock drifts by more than `drift`.
struct ClockAssumptions {
  Time least;
  double drift;
  Time resolution; ///< of each clock
};

/// At a node's reading `local` the monitor's clock showed `monitor`, or `bound` more or less.
struct Fix {
  Time local;
  Time monitor;
  Time bound;
};

/// Of a probe that left when the monitor's clock showed `sent`, and whose answer, the node's reading, was there at
/// `received`. The node read its clock at least `least` after the one and before the other; readings are rounded down.
Fix fix_of(Time sent, Time received, Time local, const ClockAssumptions& assumed);

/// One node's.
class GlobalClock {
public:
  explicit GlobalClock(const ClockAssumptions& assumed) : assumed_(assumed) {}
  /// Keeps the better one.
  void before(const Fix& fix) { keep(before_, fix); }
  void after(const Fix& fix) { keep(after_, fix); }

  bool known() const { return before_.has_value(); }
  /// What it rests on: one fix, or a second one that makes a line with it.
  const std::optional<Fix>& fix_before() const { return before_; }
  std::optional<Fix> fix_after() const { return is_line() ? after_ : std::nullopt; }
  /// The monitor's time at that reading: on the line through both fixes, or of the first alone.
  Time at(Time local) const;
  Time from_the_start_alone(Time local) const;
  /// So far from the monitor's true time at() is at most, of a reading that was rounded down.
  Time bound(Time local) const;
  /// How much longer the node's second is than the monitor's; 0 without a second fix.
  double drift() const;
  /// What the monitor's clock showed less what the node's did, at the first fix.
  Time offset() const { return before_->monitor - before_->local; }

private:
  static void keep(std::optional<Fix>& kept, const Fix& fix) {
    if (!kept || fix.bound < kept->bound) kept = fix;
  }
  /// Two readings of a coarse clock may be one.
  bool is_line() const { return after_ && after_->local > before_->local; }

  ClockAssumptions assumed_;
  std::optional<Fix> before_;
  std::optional<Fix> after_;
};

} // namespace hypermon::hpvm
