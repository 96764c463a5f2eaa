// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the capture hardware (spec/hypermon.md, sections 1 to 5). Defaults are the prototype.
#pragma once
#include "base/fifo.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// A node's performance port and the loop that writes to it.
struct PortParams {
  Nanoseconds nibble_cost_ns = 8850;
  std::int64_t delay = 20;
  Nanoseconds delay_iteration_ns = 864.5;
  std::int64_t width_bits = 4;
};

/// Event regeneration board.
struct ErbParams {
  WholeNanoseconds propagation_ns = 0;
};

/// Which frames carry a timestamp.
enum class TimestampPolicy : std::uint8_t { every, on_request };
constexpr auto words_of(TimestampPolicy) { return words("every", "on_request"); }

/// Event capture board.
struct EcbParams {
  WholeNanoseconds window_ns = 800;
  std::int64_t inputs = 16;
  std::int64_t node_fifo_entries = 64;
  std::int64_t vector_fifo_entries = 64;
  std::int64_t frame_fifo_frames = 1024;
  std::int64_t builder_cycles = 8;
  std::int64_t accumulate_bits = 0;
  TimestampPolicy timestamp_policy = TimestampPolicy::every;
  std::int64_t timestamp_bits = 32;
  bool wrap_frames = false;
  WholeNanoseconds reset_skew_ns = 0;
  WhenFull node_fifo_full = WhenFull::drop_newest;
  WhenFull vector_fifo_full = WhenFull::drop_newest;
  WhenFull frame_fifo_full = WhenFull::drop_newest;
};

/// Bus between the capture board and the I/O node.
struct PbxParams {
  WholeNanoseconds word_ns = 800;
  std::string module{};
};

enum class ReaderKind : std::uint8_t { ideal, group };
constexpr auto words_of(ReaderKind) { return words("ideal", "group"); }

/// The program in the I/O node that reads frames.
struct ReaderParams {
  ReaderKind kind = ReaderKind::ideal;
  WholeNanoseconds group_ns = 0;
  WholeNanoseconds frame_ns = 0;
  WholeNanoseconds stall_ns = 0;
  std::int64_t stall_every_frames = 0;
};

} // namespace hypermon
