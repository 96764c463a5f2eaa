// SPDX-License-Identifier: BSD-3-Clause
// What a node's kernel has done, for those who read counters: its CPU time at any date, exactly, and how often it
// passed points.
#pragma once
#include "base/time.hpp"
#include "sw/instrumentation/points.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>

namespace hypermon {

/// Work on one CPU, one piece after the other; what was asked of it may lie ahead.
class BusyTime {
public:
  /// Begins do not decrease, nor overlap.
  void busy(Time begin, Time end) {
    total_ += end - begin;
    if (!ahead_.empty() && ahead_.back().end == begin)
      ahead_.back().end = end;
    else if (end > begin)
      ahead_.push_back({begin, end});
  }
  /// Nobody will ask for what was before `t`.
  void forget(Time t) {
    while (!ahead_.empty() && ahead_.front().end <= t) ahead_.pop_front();
  }
  Time total() const { return total_; }
  /// What of it came before `t`.
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
  std::deque<Piece> ahead_; // that ended after what is forgotten
};

struct KernelAccount {
  BusyTime system;   // system calls, messages, interrupts
  BusyTime emission; // of events
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
