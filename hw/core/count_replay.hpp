// Counts of many boards over one recording: what is common to several is computed once, memory does not grow with the
// recording.
#pragma once
#include "hw/core/board_design.hpp"
#include "hw/core/losses.hpp"
#include <array>
#include <memory>
#include <vector>

namespace hypermon {

/// How a board's counts were found: from the backlog of a shared stream of frames (DrainDesigns), by a frame FIFO and a
/// reader of its own on a shared stream (FrameDrain), or by a whole CaptureBoard. All say the same.
enum class CountedBy : std::uint8_t { backlog, frame_drain, board };

struct BoardCounts {
  Counts counts;
  std::array<std::uint64_t, loss_causes> lost{}; ///< data, by LossCause
  CountedBy by;
};

class CountReplay {
public:
  /// `by_boards`: by whole boards all, which is slow.
  explicit CountReplay(std::span<const BoardDesign> designs, bool by_boards = false);
  ~CountReplay();

  /// Throws std::invalid_argument (RowsInOrder).
  void add(const BurstRows& rows);
  /// Until nothing is left inside: the counts of each design, in the order given.
  std::vector<BoardCounts> finish();

private:
  class Counter;
  class SharedFront;
  class WholeBoard;
  RowsInOrder order_;
  std::vector<std::unique_ptr<Counter>> counters_;
  std::size_t designs_;
};

} // namespace hypermon
