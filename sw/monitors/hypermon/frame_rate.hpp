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
  void add(Time at) {
    while (at >= width_ * static_cast<std::int64_t>(bins)) double_width();
    ++counts_[static_cast<std::size_t>(at / width_)];
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

  void double_width() {
    for (std::size_t b = 0; b < bins; ++b) {
      const std::uint64_t sum = 2 * b < bins ? counts_[2 * b] + counts_[2 * b + 1] : 0;
      counts_[b] = sum;
    }
    width_ = width_ * 2;
  }

  Time width_ = 100_us;
  std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(bins);
};

} // namespace hypermon
