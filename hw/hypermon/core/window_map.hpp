// SPDX-License-Identifier: BSD-3-Clause
// The windows of a stretch that have strobes, and what became of their frames: when they had been read, or were lost.
// Strobes may be entered in any order.
#pragma once
#include "base/clock.hpp"
#include "hw/hypermon/core/window_steps.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hypermon {

class WindowMap {
public:
  static constexpr std::size_t windows = 1 << 16;
  /// Up to this length the steps of add() are exact over the whole stretch.
  static constexpr Time longest_window = 16_us;
  static_assert(WindowSteps(longest_window).most() >= windows);

  explicit WindowMap(Time window) : window_(window), steps_(window), waited_(windows) {}

  /// `n` strobes, the first of them `first` after the stretch begins; all lie within the stretch.
  void add(Time first, Time spacing, std::size_t n) {
    std::uint64_t* const used = used_.data();
    WindowSteps::Place at = steps_.place(static_cast<std::uint64_t>(first.ps()));
    const WindowSteps::Place by = steps_.place(static_cast<std::uint64_t>(spacing.ps()));
#pragma GCC unroll 4
    for (; n > 0; --n, WindowSteps::go_on(at, by)) used[at.window / 64] |= std::uint64_t{1} << at.window % 64;
  }
  void clear() {
    used_.fill(0);
    if (some_lost_) lost_.fill(0);
    some_lost_ = false;
  }

  /// An ideal reader reads the frames of the first `n` windows, each for `frame_time`.
  struct Reading {
    Time until; ///< time at which it has read all frames that it began
    /// largest remaining reading time when a frame that was not lost was built; negative if there was none
    Time backlog;
    std::uint64_t lost; ///< number of lost frames
    Time first_lost;    ///< time at which the first frame was lost
  };
  /// Closed form (spec sec. 3): s = max(f + 1, e of the frame before), e = s + frame time. `first_built`: time at which
  /// the frame of window 0 would be built. `until`: time at which all earlier frames have been read. A frame is lost if
  /// it finds `full` or more still to be read. Frame times are at least a clock period.
  Reading read(std::size_t n, Time first_built, Time frame_time, Time until, Time full) {
    begin_reading(first_built, clock_period + frame_time);
    for (std::size_t k = 0; k < longer_.size(); ++k)
      longer_[k] = frame_time - window_ * static_cast<std::int64_t>(k + 1);
    // The remaining reading time grows by at most a frame time per frame. Below `room`, none of the next 64 frames is
    // lost.
    const Time room = full > frame_time * 64 ? full - frame_time * 64 : 0_ps - Time::never();
    Reading reading{0_ps, 0_ps - 1_ps - clock_period, 0, {}};
    Time waited = until - end_if_idle(0) + window_; // waiting time of the last frame, were it that of the window before
    for (std::size_t base = 0; base < n; base += 64)
      if (const std::uint64_t used = used_[base / 64]; used == 0)
        waited -= window_ * 64;
      else if (waited < room) [[likely]]
        waited = read_word<false>(base, used, waited, full, reading);
      else
        waited = read_word<true>(base, used, waited, full, reading);
    reading.backlog += clock_period;
    reading.until = end_if_idle((n + 63) / 64 * 64) - window_ + waited;
    return reading;
  }
  /// Time at which the frame of a used window had been read or was lost.
  Time end(std::size_t k) const { return end_if_idle(k) + waited_[k]; }

  // For callers that follow the frames of the first windows themselves.
  /// The frame of window 0 would be built at `first_built`. An idle reader has read a frame `alone` after it was built.
  void begin_reading(Time first_built, Time alone = {}) {
    first_built_ = first_built;
    alone_ = alone;
  }
  /// Calls f(window, time at which its frame is built) for the used windows among the first `n`. f may call set_lost().
  template <class F> void each_built(std::size_t n, F&& f) const {
    for (std::size_t base = 0; base < n; base += 64)
      for (std::uint64_t left = used_[base / 64]; left != 0; left &= left - 1) {
        const std::size_t k = base + static_cast<std::size_t>(std::countr_zero(left));
        f(k, built_at(k));
      }
  }
  void set_read(std::size_t k, Time at) { waited_[k] = at - end_if_idle(k); }
  void set_lost(std::size_t k, Time at) {
    used_[k / 64] &= ~(std::uint64_t{1} << k % 64);
    lost_[k / 64] |= std::uint64_t{1} << k % 64;
    some_lost_ = true;
    set_read(k, at);
  }

  /// Whether the window's frame was lost. The window is not used then.
  bool lost(std::size_t k) const { return (lost_[k / 64] >> k % 64 & 1u) != 0; }
  /// Whether a frame of the windows from `from` to `to`, inclusive, was lost.
  bool any_lost(std::size_t from, std::size_t to) const {
    std::uint64_t bits = lost_[from / 64] >> from % 64 << from % 64;
    for (std::size_t i = from / 64; i < to / 64; bits = lost_[++i])
      if (bits != 0) return true;
    return bits << (63 - to % 64) != 0;
  }

  /// Number of used windows in [from, to).
  std::uint64_t used_between(std::size_t from, std::size_t to) const {
    // uses the bits of windows from `from` on
    const auto first = [&](std::size_t word) { return used_[word] >> from % 64; };
    const auto in = [](std::uint64_t bits, std::size_t n) { // the lowest n
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
  /// Numbers the used windows among the first `n`, from 0 on. The map must outlive the object.
  class Ranks {
  public:
    Ranks(const WindowMap& map, std::size_t n) : used_(map.used_.data()) {
      std::uint32_t sum = 0;
      for (std::size_t word = 0; word < (n + 63) / 64; ++word) {
        before_.push_back(sum);
        sum += static_cast<std::uint32_t>(std::popcount(used_[word]));
      }
    }
    std::size_t operator[](std::size_t k) const {
      const std::uint64_t before = used_[k / 64] & ((std::uint64_t{1} << k % 64) - 1);
      return before_[k / 64] + static_cast<std::size_t>(std::popcount(before));
    }

  private:
    const std::uint64_t* used_;
    std::vector<std::uint32_t> before_; // used windows before each group of 64 windows
  };

private:
  Time built_at(std::size_t k) const { return first_built_ + window_ * static_cast<std::int64_t>(k); }
  Time end_if_idle(std::size_t k) const { return built_at(k) + alone_; }
  /// Part of read() for the 64 windows from `base` on. `waited` is the waiting time of the last frame before them, as
  /// if it were that of the window before; the result is the same for the windows that follow. `reading.backlog`
  /// excludes the time until an idle reader begins. There is no branch on whether a frame waits, since no processor
  /// could predict it.
  template <bool may_lose>
  [[gnu::always_inline]] Time read_word(std::size_t base, std::uint64_t used, Time waited, Time full,
                                        Reading& reading) {
    const Time* const longer = longer_.data(); // copies, because the stored values might alias members
    Time* const all_waited = waited_.data();
    Time backlog = reading.backlog;
    std::size_t next = base;
    for (; used != 0; used >>= 1) {
      const auto gap = static_cast<std::size_t>(std::countr_zero(used));
      next += gap + 1;
      used >>= gap;
      const Time wait = waited + longer[gap]; // negative: the reader waits for the frame
      if (may_lose && wait + clock_period >= full) [[unlikely]] {
        if (reading.lost++ == 0) reading.first_lost = built_at(next - 1);
        set_lost(next - 1, built_at(next - 1));
        waited -= window_ * static_cast<std::int64_t>(gap + 1);
        continue;
      }
      backlog = std::max(backlog, wait);
      waited = std::max(wait, 0_ps);
      all_waited[next - 1] = waited;
    }
    reading.backlog = backlog;
    return waited - window_ * static_cast<std::int64_t>(base + 64 - next);
  }

  Time window_;
  WindowSteps steps_;
  std::array<std::uint64_t, windows / 64> used_{};
  std::array<std::uint64_t, windows / 64> lost_{};
  bool some_lost_ = false;
  std::array<Time, 64> longer_{}; // longer_[k]: change of the waiting time after k windows without a frame
  std::vector<Time> waited_;      // time at which each frame had been read or was lost, relative to end_if_idle()
  Time first_built_;
  Time alone_; // time from the build of a frame until an idle reader has read it
};

} // namespace hypermon
