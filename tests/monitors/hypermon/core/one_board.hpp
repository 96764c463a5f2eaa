// SPDX-License-Identifier: BSD-3-Clause
// A board that is strobed by hand, for the tests of single rules.
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include "tests/catch.hpp"
#include <vector>

namespace hypermon::testing {

struct OneBoard {
  CaptureBoard board;
  std::vector<Loss> losses;
  explicit OneBoard(const EcbParams& ecb = {}, const ReaderParams& reader = {}, const PbxParams& pbx = {},
                    DrainedBy drained_by = DrainedBy::reader)
      : board(PortParams{}, ecb, pbx, reader, drained_by) {
    board.on_loss([this](const Loss& loss) { losses.push_back(loss); });
  }
  void strobe(std::uint32_t input, Time time, std::uint8_t datum = 1) { board.write({input, time, 0_ps, {&datum, 1}}); }
  std::vector<DeliveredFrame> finish() {
    board.finish();
    return {board.delivered().begin(), board.delivered().end()};
  }
};

/// The contract's constants (spec secs. 1 to 3), from which expected times are derived.
inline constexpr Time window = 800_ns;
inline constexpr Time to_pop = cycles(1);
inline constexpr Time build = cycles(8);
inline constexpr Time word_time = 800_ns;
inline constexpr Time frame_time = word_time * 4;
/// The frame of window k is built, and if it is alone its reading ends.
constexpr Time built(std::int64_t k) { return window * (k + 1) + to_pop + build; }
constexpr Time lone_read_end(std::int64_t k) { return built(k) + cycles(1) + frame_time; }

/// A strobe in each of `n` successive windows: a frame is built every 800 ns, and read every 3200 ns.
inline void strobe_windows(OneBoard& b, int n, int from = 0) {
  for (int k = from; k < from + n; ++k) b.strobe(0, window * k);
}
/// A frame of which nothing but the vector matters.
inline EventFrame frame_of(std::uint32_t vector) {
  EventFrame frame;
  frame.vector = vector;
  return frame;
}

} // namespace hypermon::testing
