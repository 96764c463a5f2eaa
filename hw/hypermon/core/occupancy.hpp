// SPDX-License-Identifier: BSD-3-Clause
// What one frame FIFO did over time: for pictures.
#pragma once
#include "hw/hypermon/core/frame_drain.hpp"
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace hypermon {

/// In equal intervals from time 0 on; those after the last event are left out. Throws std::length_error if there are
/// more than most_intervals.
class OccupancyTimeLine {
public:
  static constexpr std::int64_t most_intervals = 1 << 22;
  struct Interval {
    std::uint64_t frames_built = 0;
    std::uint64_t frames_lost = 0;
    std::uint64_t words_lost = 0;
    std::uint64_t most = 0; ///< frames in the FIFO in any clock period of the interval
    std::uint64_t least =
        std::numeric_limits<std::uint64_t>::max(); ///< the same; the last one ends with the last event
    bool operator==(const Interval&) const = default;
  };

  OccupancyTimeLine(FrameDrain drain, std::int64_t interval_edges)
      : drain_(std::move(drain)), interval_edges_(interval_edges) {}

  void push(std::span<const FramePush> pushes) {
    for (const FramePush& p : pushes) {
      const DrainCounts before = drain_.counts();
      drain_.push(p, [this](std::int64_t edge, std::size_t frames) { level(edge, frames); });
      Interval& in = interval(p.edge / interval_edges_);
      ++in.frames_built;
      in.frames_lost += drain_.counts().frames_lost - before.frames_lost;
      in.words_lost += drain_.counts().words_lost - before.words_lost;
    }
  }
  void finish() {
    drain_.finish([this](std::int64_t edge, std::size_t frames) { level(edge, frames); });
  }

  const std::vector<Interval>& intervals() const { return intervals_; }
  /// By frames in the FIFO: for how many clock periods so many were, from time 0 to the last event.
  const std::vector<std::int64_t>& histogram() const { return histogram_; }
  const DrainCounts& counts() const { return drain_.counts(); }
  /// Where the FIFO first held the most frames that it ever did. Zero if it held none.
  std::int64_t peak_edge() const { return peak_edge_; }

private:
  Interval& interval(std::int64_t i) {
    if (i >= most_intervals) throw std::length_error("time line: more intervals than can be kept");
    if (static_cast<std::size_t>(i) >= intervals_.size()) intervals_.resize(static_cast<std::size_t>(i) + 1);
    return intervals_[static_cast<std::size_t>(i)];
  }
  /// After `edge` there are so many frames; before it there were as many as at the last call.
  void level(std::int64_t edge, std::size_t frames) {
    if (edge > since_) {
      if (histogram_.size() <= frames_) histogram_.resize(frames_ + 1);
      histogram_[frames_] += edge - since_;
      for (std::int64_t i = since_ / interval_edges_; i <= (edge - 1) / interval_edges_; ++i) {
        Interval& in = interval(i);
        in.most = std::max<std::uint64_t>(in.most, frames_);
        in.least = std::min<std::uint64_t>(in.least, frames_);
      }
      if (frames_ > peak_) {
        peak_ = frames_;
        peak_edge_ = since_;
      }
    }
    since_ = edge;
    frames_ = frames;
  }

  FrameDrain drain_;
  std::int64_t interval_edges_;
  std::vector<Interval> intervals_;
  std::vector<std::int64_t> histogram_;
  std::int64_t since_ = 0;
  std::size_t frames_ = 0;
  std::size_t peak_ = 0;
  std::int64_t peak_edge_ = 0;
};

} // namespace hypermon
