// SPDX-License-Identifier: BSD-3-Clause
// Number of frames over true time, in bounded memory: the bins double in width whenever the run outgrows them.
#pragma once
#include "hw/hypermon/core/stretch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermon {

class FrameRate {
public:
  /// Counts a frame at the begin of its window, in any order. Frames that no board captured are ignored. Frames
  /// captured before time 0 (reset skew) count at 0.
  void add(const DeliveredFrame& frame) {
    if (frame.captured == Time::never()) return;
    const Time at = std::max(frame.captured, 0_ps);
    if (at < begin_ || at >= end_) go_to_bin_of(at);
    ++counts_[bin_];
  }
  /// Counts all frames of a stretch, bin by bin.
  void add(const Stretch& stretch) {
    const std::uint64_t end = stretch.last_window() + 1;
    go_to_bin_of(at(stretch, end - 1)); // widens the bins as far as the last frame needs
    for (std::uint64_t window = stretch.first_window(); window < end;) {
      go_to_bin_of(at(stretch, window));
      const std::uint64_t next = std::min(window + windows_before(end_ - stretch.begin_of(window), stretch), end);
      counts_[bin_] += stretch.frames_between(window, next);
      window = next;
    }
  }

  /// Number of frames in each of `parts` equal parts of [begin, end). A bin that crosses a border is divided in
  /// proportion. The bins are at least 40 times finer than a hundredth of the time up to the last frame, or of 3.2 ms
  /// if that is longer.
  std::vector<double> divide(Time begin, Time end, std::size_t parts) const {
    std::vector<double> result(parts, 0.0);
    const double part = static_cast<double>((end - begin).ps()) / static_cast<double>(parts);
    if (part <= 0) return result;
    const auto width = static_cast<double>(width_.ps());
    for (std::size_t b = 0; b < bins; ++b) {
      if (counts_[b] == 0) continue;
      const double from = (width * static_cast<double>(b) - static_cast<double>(begin.ps())) / part;
      const double to = from + width / part;
      for (auto p = static_cast<std::int64_t>(std::max(from, 0.0));
           p < static_cast<std::int64_t>(parts) && static_cast<double>(p) < to; ++p) {
        const double share =
            (std::min(to, static_cast<double>(p + 1)) - std::max(from, static_cast<double>(p))) / (to - from);
        result[static_cast<std::size_t>(p)] += share * static_cast<double>(counts_[b]);
      }
    }
    return result;
  }

private:
  static constexpr std::size_t bins = 1 << 13;

  static Time at(const Stretch& stretch, std::uint64_t window) { return std::max(stretch.begin_of(window), 0_ps); }
  /// Number of windows that begin within `t`; the first begins at the start of `t`.
  static std::uint64_t windows_before(Time t, const Stretch& stretch) {
    return static_cast<std::uint64_t>((t - 1_ps) / stretch.window_length()) + 1;
  }
  void go_to_bin_of(Time at) {
    while (at / width_ >= static_cast<std::int64_t>(bins)) double_width();
    bin_ = static_cast<std::size_t>(at / width_);
    begin_ = width_ * static_cast<std::int64_t>(bin_);
    end_ = begin_ + std::min(width_, Time::never() - begin_);
  }
  void double_width() {
    for (std::size_t b = 0; b < bins; ++b) {
      const std::uint64_t sum = 2 * b < bins ? counts_[2 * b] + counts_[2 * b + 1] : 0;
      counts_[b] = sum;
    }
    width_ = width_ * 2;
  }

  Time width_ = Time::from_ps(390'625); // initial width of a bin: 100 us / 256
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(bins);
  std::size_t bin_ = 0;
  Time begin_; // begin of the bin
  Time end_;
};

} // namespace hypermon
