// SPDX-License-Identifier: BSD-3-Clause
// Counts of the capture board (spec secs. 2 to 4, 6) from the last reset to the last horizon.
#pragma once
#include "base/time.hpp"
#include <optional>

namespace hypermon {

/// Strobes count data. Aliasing, node overruns, discarded and merged count words, which hold one datum each unless data
/// are accumulated.
struct Counts {
  std::uint64_t strobes = 0;
  std::uint64_t accumulating = 0; ///< data in incomplete words
  std::uint64_t aliasing = 0;
  std::uint64_t node_overruns = 0;
  std::uint64_t windows_lost = 0;
  std::uint64_t discarded = 0; ///< words of lost windows
  std::uint64_t frames_built = 0;
  std::uint64_t merged = 0; ///< words that share a built frame with an earlier one
  std::uint64_t frames_lost = 0;
  std::uint64_t drained = 0;
  std::uint64_t frames_in_fifo = 0;
  std::uint64_t peak_frame_fifo = 0;
  std::optional<Time> first_overrun; ///< edge of the first frame lost
  Time end;                          ///< end of the last drained frame's last word; 0 if there was none
  bool operator==(const Counts&) const = default;
};

} // namespace hypermon
