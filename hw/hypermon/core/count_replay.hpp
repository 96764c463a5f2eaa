// SPDX-License-Identifier: BSD-3-Clause
// Counts of many boards over one recording. Work that several boards share is done once; memory does not grow with the
// recording.
#pragma once
#include "base/losses.hpp"
#include "hw/hypermon/core/board_design.hpp"
#include <array>
#include <memory>
#include <vector>

namespace hypermon {

/// The method by which a board's counts were computed. backlog: from the backlog of a shared stream of frames
/// (DrainDesigns). frame_drain: by simulating the board's own frame FIFO and reader on that stream (FrameDrain). Both
/// give the counts of a CaptureBoard.
enum class CountedBy : std::uint8_t { backlog, frame_drain };

struct BoardCounts {
  Counts counts;
  std::array<std::uint64_t, loss_causes> lost{}; ///< data, by LossCause
  CountedBy by{};
};

class CountReplay {
public:
  /// Throws std::invalid_argument for a design whose frames depend on their drain (BoardDesign::drains_apart()).
  explicit CountReplay(std::span<const BoardDesign> designs);
  ~CountReplay();

  /// Like CaptureBoard::program_ends(). Must precede any burst that begins later than `at`.
  void program_ends(Time at);
  /// Throws std::invalid_argument for invalid rows (RowsInOrder).
  void add(const BurstRows& rows);
  /// Runs until all frames have been read. Returns the counts of each design, in the order given.
  std::vector<BoardCounts> finish();

private:
  class SharedFront;
  RowsInOrder order_;
  std::vector<std::unique_ptr<SharedFront>> fronts_;
  std::size_t designs_;
};

} // namespace hypermon
