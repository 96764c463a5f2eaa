// SPDX-License-Identifier: BSD-3-Clause
// The values of signals over time. Several changes of a signal at one time become a single change, or none.
#pragma once
#include "base/signal.hpp"
#include <algorithm>
#include <span>

namespace hypermon {

/// Keeps changes from `from` on: first the values of all signals at that time, then the differences.
class SignalValues {
public:
  SignalValues(std::span<const Signal> signals, const std::vector<bool>& wanted, Time from) : from_(from) {
    for (std::size_t i = 0; i < signals.size(); ++i)
      slots_.push_back({wanted[i], signals[i].kind == Signal::Kind::event, false, false, false, 0, 0});
  }

  bool wants(std::uint32_t signal) const { return slots_[signal].wanted; }
  Time now() const { return now_; }
  /// Times must not decrease.
  void go_to(Time time) {
    if (time == now_) return;
    if (!started_ && time >= from_) {
      settle();
      started_ = true;
      now_ = from_;
      for (std::uint32_t i = 0; i < slots_.size(); ++i)
        if (slots_[i].wanted && !slots_[i].event) touch(i);
      if (time == from_) return;
    }
    settle();
    now_ = time;
  }
  void set(std::uint32_t signal, std::uint64_t value) {
    Slot& s = slots_[signal];
    if (s.value == value && s.known) return;
    s.value = value;
    s.known = true;
    if (s.wanted) touch(signal);
  }
  /// An event happens.
  void mark(std::uint32_t signal) {
    if (slots_[signal].wanted) touch(signal);
  }

  /// Changes before now(), ordered by time and then by signal.
  std::vector<Change>& changes() { return changes_; }

private:
  struct Slot {
    bool wanted;
    bool event;
    bool touched;
    bool known;
    bool shown_is_known;
    std::uint64_t value;
    std::uint64_t shown;
  };

  void touch(std::uint32_t signal) {
    if (!started_ || slots_[signal].touched) return;
    slots_[signal].touched = true;
    touched_.push_back(signal);
  }
  // The values at now_ are final.
  void settle() {
    std::sort(touched_.begin(), touched_.end());
    for (const std::uint32_t i : touched_) {
      Slot& s = slots_[i];
      s.touched = false;
      if (s.event) {
        changes_.push_back({now_, i, true, 1});
      } else if (now_ == from_ || s.value != s.shown || s.known != s.shown_is_known) {
        changes_.push_back({now_, i, s.known, s.value});
        s.shown = s.value;
        s.shown_is_known = s.known;
      }
    }
    touched_.clear();
  }

  Time from_;
  Time now_ = Time::from_ps(-1);
  bool started_ = false;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> touched_;
  std::vector<Change> changes_;
};

} // namespace hypermon
