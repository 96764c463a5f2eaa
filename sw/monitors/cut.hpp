// SPDX-License-Identifier: BSD-3-Clause
// The granularity of a run's work: how often the hardware is advanced, and how far its boards may lag behind. No result
// depends on it: tests/python/test_no_cut_matters.py tries random values.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <iterator>
#include <optional>
#include <random>

namespace hypermon {

class Cut {
public:
  /// Values for a fast run.
  Cut() = default;
  /// For tests: steps of random length; the order of magnitude depends on the seed, too.
  explicit Cut(std::uint64_t seed) : random_(std::mt19937_64(seed)) {
    constexpr std::int64_t us = 1'000'000;
    longest_ps_ = one_of({10 * us, 1000 * us, 30'000 * us, 500'000 * us});
    lag_ = Time::from_ps(one_of({0, 1, us, 300 * us, 20'000 * us, 5'000'000 * us}));
    most_bursts_ = static_cast<std::size_t>(one_of({1, 2, 100, 1 << 20}));
    most_in_memory_ = static_cast<std::size_t>(one_of({2, 3, 20, 1 << 10}));
    delivers_ahead_ = below(2) == 0;
  }

  /// The hardware is advanced at `now`, and next at the returned time or later.
  Time next(Time now) { return now + (random_ ? Time::from_ps(1 + below(longest_ps_)) : 100_ms); }
  /// CaptureChain::may_lag(): bursts may wait in memory for that time.
  Time lag() const { return lag_; }
  /// Largest number of bursts that wait in memory before the hardware is advanced.
  std::size_t most_bursts() const { return most_bursts_; }
  /// Number of items that a queue (of frames in a FIFO, or of events in flight) keeps in memory at either end; the
  /// other items are in a file. Empty: each queue has its own default.
  std::optional<std::size_t> most_in_memory() const { return most_in_memory_; }
  /// True if a replay calls CaptureChain::deliver_ahead().
  bool delivers_ahead() const { return delivers_ahead_; }

private:
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>((*random_)() % static_cast<std::uint64_t>(n)); }
  std::int64_t one_of(std::initializer_list<std::int64_t> choices) {
    return *std::next(choices.begin(), below(std::ssize(choices)));
  }

  std::optional<std::mt19937_64> random_;
  std::int64_t longest_ps_ = 0;
  Time lag_ = 1000_ms;
  std::size_t most_bursts_ = 1 << 14;
  std::optional<std::size_t> most_in_memory_;
  bool delivers_ahead_ = true;
};

} // namespace hypermon
