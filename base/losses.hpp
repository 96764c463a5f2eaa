// SPDX-License-Identifier: BSD-3-Clause
// Data that the capture hardware lost, each identified by input and sequence number.
#pragma once
#include "base/time.hpp"
#include <array>
#include <string_view>

namespace hypermon {

/// Why a datum was lost (spec secs. 2 and 6), in the order of the values: its window already had a datum of the same
/// node; its node FIFO was full; its window was lost at the strobe-vector FIFO (the spec's "discarded"); its frame was
/// lost at the frame FIFO; it was inside when the board was reset; its frame was not read completely (a bus error); the
/// I/O node had no room for its frame; its frame was lost at the frame FIFO while a fault kept the reader away.
enum class LossCause : std::uint8_t {
  aliasing,
  node_overrun,
  window_lost,
  frame_lost,
  reset,
  bus_error,
  memory_full,
  reader_stopped,
};
inline constexpr std::size_t loss_causes = 8;
inline constexpr std::array<std::string_view, loss_causes> loss_cause_names{
    "aliasing", "node_overrun", "window_lost", "frame_lost", "reset", "bus_error", "memory_full", "reader_stopped"};

struct Loss {
  std::uint32_t input;
  std::uint64_t sequence; ///< 0, 1, 2, ...: number of the strobe on that input
  LossCause cause;
  Time time; ///< time of the strobe (aliasing, node_overrun) or of the edge at which the datum was dropped
  bool operator==(const Loss&) const = default;
};

} // namespace hypermon
