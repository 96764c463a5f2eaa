// SPDX-License-Identifier: BSD-3-Clause
// Counts everything that can still wake a rank. Ticks continue for ever, so SimGrid itself never finds a deadlock; only
// these counts can show one.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace hypermon {

class WakeUps {
public:
  /// A rank sleeps until a given time, or waits for its kernel.
  void sleeps() {
    ++sleeping_;
    ++progress_;
  }
  void wakes() { --sleeping_; }
  /// A timer is set, or will be set after a held emission; timer_is_done() when it has expired.
  void sets_timer() { ++timers_; }
  void timer_is_done() { --timers_; }
  /// A transfer of SimGrid begins or ends, SMPI's own transfers included.
  void transfer_begins() {
    ++transfers_;
    ++progress_;
  }
  void transfer_ends() {
    --transfers_;
    ++progress_;
  }
  /// Records that something other than a tick has happened.
  void notes_progress() { ++progress_; }
  /// A mechanism outside SimGrid may wake a rank as long as `under_way()` is true.
  void also(std::function<bool()> under_way) { under_way_ = std::move(under_way); }

  /// Called at a tick: true if nothing can wake a rank and nothing has happened since the last tick.
  bool stand_still(Time now) {
    const bool none = sleeping_ == 0 && timers_ == 0 && transfers_ == 0 && progress_ == seen_progress_ &&
                      !(under_way_ && under_way_());
    seen_progress_ = progress_;
    if (!none) still_since_ = now;
    return none;
  }
  /// Time of the last tick that saw progress.
  Time still_since() const { return still_since_; }

private:
  std::int64_t sleeping_ = 0;
  std::int64_t timers_ = 0;
  std::int64_t transfers_ = 0;
  std::uint64_t progress_ = 0;
  std::uint64_t seen_progress_ = 0; // progress at the last tick
  Time still_since_;
  std::function<bool()> under_way_; // empty: there is no such mechanism
};

} // namespace hypermon
