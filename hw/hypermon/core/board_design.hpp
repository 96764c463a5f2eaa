// SPDX-License-Identifier: BSD-3-Clause
// One board with its bus and its reader, as a design to be replayed over a recording.
#pragma once
#include "hw/hypermon/core/burst_rows.hpp"
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/core/frame_pushes.hpp"

namespace hypermon {

struct BoardDesign {
  PortParams port;
  EcbParams ecb;
  PbxParams pbx;
  ReaderParams reader;
  BoardLines lines; ///< with the board's number of inputs
  Time reset_earlier_by;

  Reader new_reader() const { return {pbx, reader}; }
  std::size_t frame_words() const { return FrameFormat(port, ecb).words(); }
  /// Clock edges that reading a frame takes, on the design's own bus or on another one.
  std::int64_t frame_edges() const { return frame_edges(pbx); }
  std::int64_t frame_edges(const PbxParams& bus) const {
    return Reader(bus, {}).read_time(frame_words()) / clock_period;
  }
  std::uint64_t data_per_word() const {
    return static_cast<std::uint64_t>(hypermon::data_per_word(port.width_bits, ecb.accumulate_bits));
  }
  /// The frames do not depend on their drain, and the drain depends only on when they are pushed
  /// (FramePushes::covers()).
  bool drains_apart() const { return FramePushes::covers(ecb); }
  /// Frames are at least two edges apart, which the computation of backlogs requires (PushBlock).
  bool spaced() const { return ecb.builder_cycles >= 2; }
  /// The backlog says all of the frame FIFO (PushBlock).
  bool drains_by_backlog() const {
    return spaced() && new_reader().ideal() && ecb.frame_fifo_full == WhenFull::drop_newest;
  }
};

} // namespace hypermon
