// SPDX-License-Identifier: BSD-3-Clause
// The buffer-bandwidth frontier: for one recording and each drain bandwidth the least frame FIFO depth that loses
// nothing, exactly and as network calculus bounds it.
#pragma once
#include "hw/hypermon/core/arrival_curve.hpp"
#include "hw/hypermon/core/board_design.hpp"
#include "hw/hypermon/core/frame_drain.hpp"
#include "hw/hypermon/core/unlimited_drains.hpp"
#include <memory>
#include <vector>

namespace hypermon {

class Frontier {
public:
  /// Depth and word time of the design are not used. Throws std::invalid_argument unless the reader is ideal and the
  /// pushes do not depend on the frame FIFO (FramePushes::covers()).
  Frontier(const BoardDesign& design, std::span<const std::int64_t> word_ns);
  Frontier(const Frontier&) = delete;
  Frontier& operator=(const Frontier&) = delete;

  /// Like CaptureBoard::program_ends(). Must precede any burst that begins later than `at`.
  void program_ends(Time at) { front_->program_ends(at); }
  /// Throws std::invalid_argument for invalid rows (RowsInOrder).
  void add(const BurstRows& rows);
  void finish() { front_->finish(); }

  struct Point {
    std::int64_t word_ns;
    std::int64_t least_depth; ///< frames; a FIFO of one frame less loses at least one
    std::int64_t depth_bound; ///< ArrivalCurve::depth_bounds()
    double bytes_per_second;  ///< rate of the drain: 4 bytes in word_ns
  };
  /// After finish().
  std::vector<Point> points() const;
  Counts counts() const { return front_->counts(); }

private:
  void push(std::span<const FramePush> pushes);

  RowsInOrder order_;
  BoardLines lines_;
  std::vector<std::int64_t> word_ns_;
  std::vector<std::int64_t> frame_edges_;
  ArrivalCurve arrivals_;
  bool spaced_;
  std::unique_ptr<UnlimitedDrains> drains_; // used if spaced_
  std::vector<FrameDrain> single_;          // used otherwise
  std::int64_t last_edge_ = -PushBlock::lane_limit;
  std::unique_ptr<FramePushes> front_;
};

} // namespace hypermon
