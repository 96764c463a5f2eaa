// SPDX-License-Identifier: BSD-3-Clause
// Account of a node kernel's work, for counters: its exact CPU time up to any moment, and how often it passed the
// instrumentation points that are counted.
#pragma once
#include "base/time.hpp"
#include "sw/instrumentation/points.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>

namespace hypermon {

/// Consecutive intervals of work on one CPU. Requested work may still lie in the future.
class BusyTime {
public:
  /// Intervals must be in ascending order and must not overlap.
  void busy(Time begin, Time end) {
    total_ += end - begin;
    if (!ahead_.empty() && ahead_.back().end == begin)
      ahead_.back().end = end;
    else if (end > begin)
      ahead_.push_back({begin, end});
  }
  /// Drops the details of work before `t`. until() must not be called with an earlier time afterwards.
  void forget(Time t) {
    while (!ahead_.empty() && ahead_.front().end <= t) ahead_.pop_front();
  }
  Time total() const { return total_; }
  /// Work before `t`.
  Time until(Time t) const {
    Time until = total_;
    for (auto it = ahead_.rbegin(); it != ahead_.rend() && it->end > t; ++it) until -= it->end - std::max(it->begin, t);
    return until;
  }

private:
  struct Piece {
    Time begin;
    Time end;
  };
  Time total_;
  std::deque<Piece> ahead_; // intervals that end after the time given to forget()
};

struct KernelAccount {
  BusyTime system;   // system calls, messages, interrupts
  BusyTime emission; // emission of events
  std::uint64_t interrupts = 0;
  std::uint64_t system_calls = 0;
  std::uint64_t waits = 0;

  void pass(Point point) {
    if (point == Point::syscall_entry) ++system_calls;
    if (point == Point::switch_out || point == Point::switch_in) ++waits;
  }
  Time total() const { return system.total() + emission.total(); }
  void forget(Time t) {
    system.forget(t);
    emission.forget(t);
  }
};

} // namespace hypermon
