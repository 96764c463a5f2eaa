// SPDX-License-Identifier: BSD-3-Clause
// The inputs that have strobed in the window that is being sampled (HYPERMON sec. 3.2.1).
#pragma once
#include <cstdint>

namespace hypermon {

/// At most one window is open: the one of the last strobe, until it ends.
class WindowSampler {
public:
  bool is_open() const { return vector_ != 0; }
  bool has(std::uint32_t input) const { return (vector_ >> input & 1u) != 0; }
  std::uint64_t window() const { return window_; } ///< number of the open window, if one is open
  /// The first strobe of a window follows.
  void open(std::uint64_t window) { window_ = window; }
  void strobe(std::uint32_t input) { vector_ |= 1u << input; }
  /// Ends the window and returns its vector; 0 if no window is open.
  std::uint32_t close() {
    const std::uint32_t vector = vector_;
    vector_ = 0;
    return vector;
  }

private:
  std::uint32_t vector_ = 0;
  std::uint64_t window_ = 0;
};

} // namespace hypermon
