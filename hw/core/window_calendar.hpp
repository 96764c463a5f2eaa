// Sampled strobes of a stretch of windows, by window: strobes may be entered in any order.
#pragma once
#include "hw/core/time.hpp"
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hypermon {

class WindowCalendar {
public:
  static constexpr std::size_t windows = 4096;
  /// Up to this length W (in ps) the steps of add() are exact over the whole stretch: windows * W * W < 2^64.
  static constexpr Time longest_window = 50_us;
  static_assert(static_cast<double>(windows) * 50e6 * 50e6 < 0x1p64);

  explicit WindowCalendar(Time window)
      : window_(static_cast<std::uint64_t>(window.ps())), inverse_(~std::uint64_t{0} / window_ + 1) {}

  /// `n` strobes of one input, the first at `first` after the stretch begins, in different windows of it.
  void add(std::uint32_t bit, std::uint32_t shift, Time first, Time spacing, const std::uint8_t* datum, std::size_t n) {
    const auto since = static_cast<std::uint64_t>(first.ps());
    const auto step = static_cast<std::uint64_t>(spacing.ps());
    // Number of the window and how much of it has passed, in units of 2^-64: rounded up, but by less than 1 / W in
    // all, so that the next whole number is reached at no other strobe.
    std::uint64_t k = since / window_;
    std::uint64_t passed = since % window_ * inverse_;
    const std::uint64_t k_step = step / window_;
    const std::uint64_t passed_step = step % window_ * inverse_;
    for (const std::uint8_t* end = datum + n; datum != end; ++datum) {
      data_[k] |= std::uint64_t{*datum & 0xFu} << shift;
      vectors_[k] |= bit;
      used_[k / 64] |= std::uint64_t{1} << k % 64;
      passed += passed_step;
      k += k_step + (passed < passed_step ? 1 : 0);
    }
  }

  /// Calls f(k, vector, data) for all windows that have strobes, in order, and empties them.
  template <class F> void take(std::size_t of_first, F&& f) {
    for (std::size_t base = 0; base < of_first; base += 64)
      for (std::uint64_t left = std::exchange(used_[base / 64], 0); left != 0; left &= left - 1) {
        const std::size_t k = base + static_cast<std::size_t>(std::countr_zero(left));
        f(k, std::exchange(vectors_[k], 0), std::exchange(data_[k], 0));
      }
  }

private:
  std::uint64_t window_;
  std::uint64_t inverse_; // of the window, times 2^64, rounded up
  std::array<std::uint64_t, windows> data_{};
  std::array<std::uint32_t, windows> vectors_{};
  std::array<std::uint64_t, windows / 64> used_{};
};

} // namespace hypermon
