// SPDX-License-Identifier: BSD-3-Clause
// One board with all that is behind the backplane, as a design to be studied over a recording.
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
  BoardLines lines; ///< as many inputs as the board
  Time reset_earlier_by;

  Reader new_reader() const { return {pbx, reader}; }
  std::size_t frame_words() const { return FrameFormat(port, ecb).words(); }
  /// Of reading a frame whose words take so long; by default pbx.word_ns.
  std::int64_t frame_edges() const { return frame_edges(pbx); }
  std::int64_t frame_edges(const PbxParams& bus) const {
    return Reader(bus, {}).read_time(frame_words()) / clock_period;
  }
  std::uint64_t data_per_word() const {
    return static_cast<std::uint64_t>(hypermon::data_per_word(port.width_bits, ecb.accumulate_bits));
  }
  /// Its frames do not depend on their drain, nor that on more than when they come (FramePushes::covers()).
  bool drains_apart() const { return FramePushes::covers(ecb); }
  /// Frames come at least two edges apart, as backlogs can say it (PushBlock).
  bool spaced() const { return ecb.builder_cycles >= 2; }
};

} // namespace hypermon
