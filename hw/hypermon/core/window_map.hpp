// SPDX-License-Identifier: BSD-3-Clause
// Which windows of a stretch have strobes, and what became of their frames: when they had been read, or were lost.
// Strobes are entered in any order.
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
      : window_(static_cast<std::uint64_t>(window.ps())), inverse_(~std::uint64_t{0} / window_ + 1), ends_(windows) {
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
  void clear() {
    used_.fill(0);
    lost_.fill(0);
    told_.fill(0);
  }

  /// An ideal reader reads the frames of the first `n` windows, each for `frame_time`.
  struct Reading {
    Time until;   ///< when it has read all that it began
    Time backlog; ///< most that was still to be read when a frame was built that was not lost; negative if nothing was
    std::uint64_t lost; ///< frames
    Time first_lost;    ///< when the first of them was
  };
  /// In closed form (spec sec. 3): s = max(f + 1, e of the frame before), e = s + frame time. The frame of window 0
  /// would be built at `first_built`; `until`: what was built before has been read. A frame is lost that finds `full`
  /// or more still to be read.
  Reading read(std::size_t n, Time first_built, Time frame_time, Time until, Time full) {
    begin_reading(first_built);
    const Time alone = clock_period + frame_time;
    alone_ = alone;
    const Time* const built = built_.data();
    const Time word = window() * 64;
    Time backlog = 0_ps - 1_ps;
    std::uint64_t lost = 0;
    Time first_lost;
    until -= first_built; // from here on since the frame of the word's first window would be built
    for (std::size_t base = 0; base < n; base += 64, until -= word) {
      std::uint64_t waited = 0;
      for (std::uint64_t left = used_[base / 64]; left != 0; left &= left - 1) {
        const auto k = static_cast<unsigned>(std::countr_zero(left));
        if (until < built[k]) { // the reader is idle
          until = built[k] + alone;
          continue;
        }
        const Time to_be_read = until - built[k];
        if (to_be_read >= full) [[unlikely]] {
          if (lost++ == 0) first_lost = built_at(base + k);
          set_lost(base + k, built_at(base + k));
          continue;
        }
        if (to_be_read > backlog) backlog = to_be_read;
        until = to_be_read < clock_period ? built[k] + alone : until + frame_time;
        waited |= std::uint64_t{1} << k;
        ends_[base + k] = until;
      }
      told_[base / 64] |= waited;
    }
    return {first_built + window() * static_cast<std::int64_t>((n + 63) / 64 * 64) + until, backlog, lost, first_lost};
  }
  /// When the frame of a used window had been read, or was lost.
  Time end(std::size_t k) const {
    return (told_[k / 64] >> k % 64 & 1u) != 0 ? word_built_at(k) + ends_[k] : built_at(k) + alone_;
  }

  // Where somebody else follows the frames of the first windows.
  /// The frame of window 0 would be built at `first_built`.
  void begin_reading(Time first_built) { first_built_ = first_built; }
  /// Calls f(window, when its frame is built) for the used ones among the first `n`, which f may lose().
  template <class F> void each_built(std::size_t n, F&& f) const {
    for (std::size_t base = 0; base < n; base += 64)
      for (std::uint64_t left = used_[base / 64]; left != 0; left &= left - 1) {
        const std::size_t k = base + static_cast<std::size_t>(std::countr_zero(left));
        f(k, built_at(k));
      }
  }
  void set_read(std::size_t k, Time at) {
    told_[k / 64] |= std::uint64_t{1} << k % 64;
    ends_[k] = at - word_built_at(k);
  }
  void set_lost(std::size_t k, Time at) {
    used_[k / 64] &= ~(std::uint64_t{1} << k % 64);
    lost_[k / 64] |= std::uint64_t{1} << k % 64;
    set_read(k, at);
  }

  /// Was the window's frame lost? It is not used then.
  bool lost(std::size_t k) const { return (lost_[k / 64] >> k % 64 & 1u) != 0; }
  /// Was any among the windows from `from` to `to`?
  bool any_lost(std::size_t from, std::size_t to) const {
    std::uint64_t bits = lost_[from / 64] >> from % 64 << from % 64;
    for (std::size_t i = from / 64; i < to / 64; bits = lost_[++i])
      if (bits != 0) return true;
    return bits << (63 - to % 64) != 0;
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
  /// The last used window before `end`; there is one.
  std::size_t last_used(std::size_t end) const {
    std::size_t word = (end - 1) / 64;
    std::uint64_t bits = used_[word] << (63 - (end - 1) % 64) >> (63 - (end - 1) % 64);
    while (bits == 0) bits = used_[--word];
    return 64 * word + 63 - static_cast<std::size_t>(std::countl_zero(bits));
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
  Time built_at(std::size_t k) const { return first_built_ + window() * static_cast<std::int64_t>(k); }
  Time word_built_at(std::size_t k) const { return built_at(k / 64 * 64); }

  std::uint64_t window_;
  std::uint64_t inverse_; // of the window, times 2^64, rounded up
  std::array<std::uint64_t, windows / 64> used_{};
  std::array<std::uint64_t, windows / 64> lost_{};
  std::array<Time, 64> built_; // frames of a word's windows, since that of its first would be
  std::array<std::uint64_t, windows / 64>
      told_{};             // of which windows ends_ says when the frame had been read or was lost,
  std::vector<Time> ends_; // since the frame of its word's first window would be built
  Time alone_;             // else an idle reader took so long from when it was built
  Time first_built_;
};

} // namespace hypermon
