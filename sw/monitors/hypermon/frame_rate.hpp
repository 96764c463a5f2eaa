// Frames over time, in bounded memory: bins that double in width whenever the run outgrows them.
#pragma once
#include "hw/core/frame.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hypermon {

class FrameRate {
public:
  explicit FrameRate(Time window) : window_(window) {}

  /// Frames in order that span less than 2^32 windows, the first in the board's window number `window`. They are
  /// counted a bin at a time.
  void add(std::span<const DeliveredFrame> frames, std::uint64_t window) {
    const std::uint32_t first = frames.empty() ? 0 : frames.front().frame.timestamp();
    const auto after_first = [=](const DeliveredFrame& f) { return f.frame.timestamp() - first; };
    while (!frames.empty()) {
      const std::uint64_t end = end_of_bin(window + after_first(frames.front())) - window;
      const auto rest = std::partition_point(frames.begin(), frames.end(),
                                             [=](const DeliveredFrame& f) { return after_first(f) < end; });
      const auto n = static_cast<std::size_t>(rest - frames.begin());
      counts_[bin_] += n;
      frames = frames.subspan(n);
    }
  }

  /// Frames in each of `parts` equal parts of [begin, end). A bin that lies across a border counts for both sides by
  /// its share; bins are at least 160 times finer than a hundredth of the run.
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
  static constexpr std::size_t bins = 1 << 15;

  /// Goes to the bin in which the window starts; returns the first window after it.
  std::uint64_t end_of_bin(std::uint64_t window) {
    const Time at = window_ * static_cast<std::int64_t>(window);
    while (at >= width_ * static_cast<std::int64_t>(bins)) double_width();
    bin_ = static_cast<std::size_t>(at / width_);
    return static_cast<std::uint64_t>((width_ * static_cast<std::int64_t>(bin_ + 1) + window_ - 1_ps) / window_);
  }
  void double_width() {
    for (std::size_t b = 0; b < bins; ++b) {
      const std::uint64_t sum = 2 * b < bins ? counts_[2 * b] + counts_[2 * b + 1] : 0;
      counts_[b] = sum;
    }
    width_ = width_ * 2;
  }

  Time window_;
  Time width_ = 100_us;
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(bins);
  std::size_t bin_ = 0;
};

} // namespace hypermon
