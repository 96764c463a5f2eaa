// SPDX-License-Identifier: BSD-3-Clause
// Counts of many boards over one recording: what is common to several is computed once, memory does not grow with the
// recording.
#pragma once
#include "base/losses.hpp"
#include "hw/hypermon/core/board_design.hpp"
#include <array>
#include <memory>
#include <vector>

namespace hypermon {

/// How a board's counts were found: from the backlog of a shared stream of frames (DrainDesigns), or by a frame FIFO
/// and a reader of its own on that stream (FrameDrain). Both say the same as a CaptureBoard.
enum class CountedBy : std::uint8_t { backlog, frame_drain };

struct BoardCounts {
  Counts counts;
  std::array<std::uint64_t, loss_causes> lost{}; ///< data, by LossCause
  CountedBy by{};
};

class CountReplay {
public:
  /// Throws std::invalid_argument for one whose frames depend on their drain (BoardDesign::drains_apart()).
  explicit CountReplay(std::span<const BoardDesign> designs);
  ~CountReplay();

  /// CaptureBoard::program_ends(); before any burst that begins later.
  void program_ends(Time at);
  /// Throws std::invalid_argument (RowsInOrder).
  void add(const BurstRows& rows);
  /// Until nothing is left inside: the counts of each design, in the order given.
  std::vector<BoardCounts> finish();

private:
  class SharedFront;
  RowsInOrder order_;
  std::vector<std::unique_ptr<SharedFront>> fronts_;
  std::size_t designs_;
};

} // namespace hypermon
