// Frames over time, in bounded memory: bins that double in width whenever the run outgrows them.
#pragma once
#include "hw/core/stretch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermon {

class FrameRate {
public:
  explicit FrameRate(Time window) : window_(window) {}

  /// `n` frames of the board's window number `window`, in any order.
  void add(std::uint64_t window, std::uint64_t n = 1) {
    if (window < bin_begins_ || window >= bin_ends_) go_to_bin_of(window);
    counts_[bin_] += n;
  }
  /// All frames of a stretch, a bin at a time.
  void add(const Stretch& stretch) {
    const std::uint64_t end = stretch.last_window() + 1;
    go_to_bin_of(end - 1); // the bins are wide enough, and no wider than its last frame makes them
    std::uint64_t window = stretch.first_window();
    for (go_to_bin_of(window); window < end; next_bin()) {
      counts_[bin_] += stretch.frames_between(window, std::min(bin_ends_, end));
      window = bin_ends_;
    }
  }

  /// Frames in each of `parts` equal parts of [begin, end). A bin that lies across a border counts for both sides by
  /// its share; bins are at least 40 times finer than a hundredth of the run.
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

  /// The bin in which the window starts.
  void go_to_bin_of(std::uint64_t window) {
    const Time at = window_ * static_cast<std::int64_t>(window);
    while (at >= width_ * static_cast<std::int64_t>(bins)) double_width();
    bin_ = static_cast<std::size_t>(at / width_);
    bin_begins_ = first_window_from(width_ * static_cast<std::int64_t>(bin_));
    bin_ends_ = first_window_from(width_ * static_cast<std::int64_t>(bin_ + 1));
  }
  void next_bin() {
    ++bin_;
    bin_begins_ = bin_ends_;
    bin_ends_ = first_window_from(width_ * static_cast<std::int64_t>(bin_ + 1));
  }
  std::uint64_t first_window_from(Time t) const { return static_cast<std::uint64_t>((t + window_ - 1_ps) / window_); }
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
  std::uint64_t bin_begins_ = 0; // windows that start in the bin
  std::uint64_t bin_ends_ = 0;
};

} // namespace hypermon
