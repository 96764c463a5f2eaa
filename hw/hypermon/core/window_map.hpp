// Which windows of a stretch have strobes, and when their frames had been read. Strobes are entered in any order.
#pragma once
#include "hw/core/clock.hpp"
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermon {

class WindowMap {
public:
  static constexpr std::size_t windows = 1 << 16;
  /// Up to this length W (in ps) the steps of add() are exact over the whole stretch: windows * W * W < 2^64.
  static constexpr Time longest_window = 16_us;
  static_assert(static_cast<double>(windows) * 16e6 * 16e6 < 0x1p64);

  explicit WindowMap(Time window)
      : window_(static_cast<std::uint64_t>(window.ps())), inverse_(~std::uint64_t{0} / window_ + 1),
        read_ends_(windows) {
    for (std::size_t k = 0; k < built_.size(); ++k) built_[k] = this->window() * static_cast<std::int64_t>(k);
  }

  /// `n` strobes, the first at `first` after the stretch begins, all within it.
  void add(Time first, Time spacing, std::size_t n) {
    const auto since = static_cast<std::uint64_t>(first.ps());
    const auto step = static_cast<std::uint64_t>(spacing.ps());
    // Number of the window and how much of it has passed, in units of 2^-64: rounded up, but by less than 1 / W in
    // all, so that the next whole number is reached at no other strobe.
    std::uint64_t* const used = used_.data();
    std::uint64_t k = since / window_;
    std::uint64_t passed = since % window_ * inverse_;
    const std::uint64_t k_step = step / window_;
    const std::uint64_t passed_step = step % window_ * inverse_;
#pragma GCC unroll 4
    for (; n > 0; --n) {
      used[k / 64] |= std::uint64_t{1} << k % 64;
      passed += passed_step;
      k += k_step + (passed < passed_step ? 1 : 0);
    }
  }
  void clear() { used_.fill(0); }

  /// An ideal reader reads the frames of the first `n` windows, each for `frame_time`.
  struct Reading {
    Time until;   ///< when it has read all that it began
    Time backlog; ///< most that was still to be read when a frame was built; negative if nothing ever was
  };
  /// In closed form (spec sec. 3): s = max(f + 1, e of the frame before), e = s + frame time. The frame of window 0
  /// would be built at `first_built`; `until`: what was built before has been read.
  Reading read(std::size_t n, Time first_built, Time frame_time, Time until) {
    first_built_ = first_built;
    Time backlog = 0_ps - 1_ps;
    const Time* const built = built_.data();
    Time* read_ends = read_ends_.data(); // its times may alias the map
    const Time word = window() * 64;
    const Time alone = clock_period + frame_time;
    until -= first_built; // from here on since the frame of the word's first window would be built
    for (std::size_t base = 0; base < n; base += 64, until -= word, read_ends += 64)
      for (std::uint64_t left = used_[base / 64]; left != 0; left &= left - 1) {
        const auto k = static_cast<unsigned>(std::countr_zero(left));
        if (until < built[k]) { // the reader is idle
          until = built[k] + alone;
        } else {
          const Time to_be_read = until - built[k];
          if (to_be_read > backlog) backlog = to_be_read;
          until = to_be_read < clock_period ? built[k] + alone : until + frame_time;
        }
        read_ends[k] = until;
      }
    return {first_built + window() * static_cast<std::int64_t>((n + 63) / 64 * 64) + until, backlog};
  }
  Time read_end(std::size_t k) const {
    return first_built_ + window() * static_cast<std::int64_t>(k / 64 * 64) + read_ends_[k];
  }

  /// Used windows among [from, to).
  std::uint64_t used_between(std::size_t from, std::size_t to) const {
    const auto first = [&](std::size_t word) { return used_[word] >> from % 64; }; // those from `from` on
    const auto in = [](std::uint64_t bits, std::size_t n) {                        // the lowest n
      return static_cast<std::uint64_t>(std::popcount(n < 64 ? bits & ((std::uint64_t{1} << n) - 1) : bits));
    };
    if (from / 64 == to / 64) return from == to ? 0 : in(first(from / 64), to - from);
    std::uint64_t sum = in(first(from / 64), 64);
    for (std::size_t i = from / 64 + 1; i < to / 64; ++i) sum += in(used_[i], 64);
    return to % 64 == 0 ? sum : sum + in(used_[to / 64], to % 64);
  }
  /// The last used window; there is one.
  std::size_t last_used() const {
    std::size_t word = used_.size() - 1;
    while (used_[word] == 0) --word;
    return 64 * word + 63 - static_cast<std::size_t>(std::countl_zero(used_[word]));
  }
  /// For k = 0 to n: used windows among [0, k).
  std::vector<std::uint32_t> ranks(std::size_t n) const {
    std::vector<std::uint32_t> result(n + 1);
    for (std::size_t k = 0; k < n; ++k)
      result[k + 1] = result[k] + static_cast<std::uint32_t>(used_[k / 64] >> k % 64 & 1u);
    return result;
  }

private:
  Time window() const { return Time::from_ps(static_cast<std::int64_t>(window_)); }

  std::uint64_t window_;
  std::uint64_t inverse_; // of the window, times 2^64, rounded up
  std::array<std::uint64_t, windows / 64> used_{};
  std::array<Time, 64> built_;  // frames of a word's windows, since that of its first would be
  std::vector<Time> read_ends_; // of used windows, since the frame of their word's first would be built
  Time first_built_;
};

} // namespace hypermon
