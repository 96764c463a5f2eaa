// SPDX-License-Identifier: BSD-3-Clause
// Finds the windows of equidistant strobes one after the other. Only the first one needs divisions.
#pragma once
#include "base/time.hpp"
#include <bit>
#include <cstdint>

namespace hypermon {

/// Steps from strobe to strobe through windows of W ps.
class WindowSteps {
public:
  constexpr explicit WindowSteps(Time window)
      : window_(static_cast<std::uint64_t>(window.ps())), inverse_(~std::uint64_t{0} / window_ + 1) {}

  /// Number of steps that are exact: at least 2^62 / W^2.
  constexpr std::uint64_t most() const {
    const int bits = 64 - 2 * static_cast<int>(std::bit_width(window_));
    return bits > 0 ? std::uint64_t{1} << bits : 0;
  }

  struct Place {
    std::uint64_t window;
    // Part of the window that has passed, in units of 2^-64. It is rounded up, but by less than 1 / W over all steps,
    // so that no strobe moves into the next window.
    std::uint64_t passed;
  };
  /// Place at `passed_ps` after the begin of a window.
  Place place(std::uint64_t window, std::uint64_t passed_ps) const { return {window, passed_ps * inverse_}; }
  /// Place at `since_ps` after the begin of window 0; also the distance of two places.
  Place place(std::uint64_t since_ps) const { return place(since_ps / window_, since_ps % window_); }
  static void go_on(Place& place, Place by) {
    place.passed += by.passed;
    place.window += by.window + (place.passed < by.passed ? 1 : 0);
  }

private:
  std::uint64_t window_;
  std::uint64_t inverse_; // 2^64 divided by the window's length, rounded up
};

} // namespace hypermon
