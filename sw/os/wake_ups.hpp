// SPDX-License-Identifier: BSD-3-Clause
// What can still wake a rank. Ticks go on for ever, so SimGrid never finds a deadlock itself: nothing but what is
// counted here ends one.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <functional>
#include <utility>

namespace hypermon {

class WakeUps {
public:
  /// A rank sleeps until a date, or waits for its kernel.
  void sleeps() {
    ++sleeping_;
    ++progress_;
  }
  void wakes() { --sleeping_; }
  /// A timer is set, or will be set when a held emission is done; it has gone off.
  void sets_timer() { ++timers_; }
  void timer_is_done() { --timers_; }
  /// A transfer of SimGrid's begins or ends, SMPI's own included.
  void transfer_begins() {
    ++transfers_;
    ++progress_;
  }
  void transfer_ends() {
    --transfers_;
    ++progress_;
  }
  /// Something other than a tick has happened.
  void notes_progress() { ++progress_; }
  /// Something beside SimGrid may wake a rank while `under_way()`.
  void also(std::function<bool()> under_way) { under_way_ = std::move(under_way); }

  /// At a tick at `now`: can nothing wake a rank, and has nothing happened since the last tick?
  bool stand_still(Time now) {
    const bool none = sleeping_ == 0 && timers_ == 0 && transfers_ == 0 && progress_ == seen_progress_ &&
                      !(under_way_ && under_way_());
    seen_progress_ = progress_;
    if (!none) still_since_ = now;
    return none;
  }
  /// The last tick that saw progress.
  Time still_since() const { return still_since_; }

private:
  std::int64_t sleeping_ = 0;
  std::int64_t timers_ = 0;
  std::int64_t transfers_ = 0;
  std::uint64_t progress_ = 0;
  std::uint64_t seen_progress_ = 0; // at the last tick
  Time still_since_;
  std::function<bool()> under_way_; // none: nothing ever is
};

} // namespace hypermon
