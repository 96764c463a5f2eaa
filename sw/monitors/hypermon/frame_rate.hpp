// Frames over time, in bounded memory: bins that double in width whenever the run outgrows them.
#pragma once
#include "hw/core/time.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermon {

class FrameRate {
public:
  explicit FrameRate(Time window) : window_(window) {}

  /// A frame of the board's window number `window`. Most are in the bin of the one before.
  void add(std::uint64_t window) {
    if (window - bin_begin_ >= bin_windows_) [[unlikely]]
      change_bin(window);
    ++*bin_;
  }

  /// Frames in each of `parts` equal parts of [begin, end). A bin that lies across a border counts for both sides by
  /// its share; bins are at least 160 times finer than a hundredth of the run.
  std::vector<double> divide(Time begin, Time end, std::size_t parts) const {
    std::vector<double> result(parts, 0.0);
    const double part = static_cast<double>((end - begin).ps()) / static_cast<double>(parts);
    if (part <= 0) return result;
    const double width = static_cast<double>(width_.ps());
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

  void change_bin(std::uint64_t window) {
    const Time at = window_ * static_cast<std::int64_t>(window);
    while (at >= width_ * static_cast<std::int64_t>(bins)) double_width();
    const std::int64_t b = at / width_;
    bin_ = &counts_[static_cast<std::size_t>(b)];
    bin_begin_ = first_window(b);
    bin_windows_ = first_window(b + 1) - bin_begin_;
  }
  /// The first that starts in bin `b` or later.
  std::uint64_t first_window(std::int64_t b) const {
    return static_cast<std::uint64_t>((width_ * b + window_ - 1_ps) / window_);
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
  // The bin of the last frame, and the windows that start in it.
  std::uint64_t* bin_ = nullptr;
  std::uint64_t bin_begin_ = 0;
  std::uint64_t bin_windows_ = 0;
};

} // namespace hypermon
