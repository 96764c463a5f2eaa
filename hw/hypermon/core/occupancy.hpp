// SPDX-License-Identifier: BSD-3-Clause
// Occupancy of one frame FIFO over time, for charts.
#pragma once
#include "hw/hypermon/core/frame_drain.hpp"
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hypermon {

/// Occupancy in equal intervals from time 0 on; intervals after the last event are left out. Throws std::length_error
/// if there are more than most_intervals.
class OccupancyTimeLine {
public:
  static constexpr std::int64_t most_intervals = 1 << 22;
  static constexpr std::size_t most_bins = 1 << 16; ///< bins of the histogram
  struct Interval {
    std::uint64_t frames_built = 0;
    std::uint64_t frames_lost = 0;
    std::uint64_t words_lost = 0;
    /// Largest and smallest number of frames in the FIFO in a clock period. The last interval ends with the last event.
    std::uint64_t most = 0;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    bool operator==(const Interval&) const = default;
  };

  OccupancyTimeLine(FrameDrain drain, std::int64_t interval_edges)
      : drain_(std::move(drain)), interval_edges_(interval_edges) {}

  void push(std::span<const FramePush> pushes) {
    for (const FramePush& p : pushes) {
      const auto lost = drain_.push(p, [this](std::int64_t edge, std::size_t frames) { level(edge, frames); });
      Interval& in = interval_of(p.edge);
      ++in.frames_built;
      in.frames_lost += lost ? 1 : 0;
      in.words_lost += lost.value_or(0);
    }
  }
  void finish() {
    drain_.finish([this](std::int64_t edge, std::size_t frames) { level(edge, frames); });
  }

  const std::vector<Interval>& intervals() const { return intervals_; }
  /// Clock periods by level of the FIFO, from time 0 to the last event. Bin i covers the levels from
  /// i * frames_of_bin() up to the next bin's first level.
  const std::vector<std::int64_t>& histogram() const { return histogram_; }
  /// Levels in a bin: 1, or a power of two if the FIFO held most_bins frames or more.
  std::int64_t frames_of_bin() const { return std::int64_t{1} << bin_shift_; }
  DrainCounts counts() const { return drain_.counts(); }
  /// Edge at which the FIFO first reached its largest occupancy. 0 if it was always empty.
  std::int64_t peak_edge() const { return peak_edge_; }

private:
  /// Edges increase, so that no division is needed.
  Interval& interval_of(std::int64_t edge) {
    while (edge >= next_begin_) {
      if (intervals_.size() == most_intervals) throw std::length_error("time line: more intervals than can be kept");
      intervals_.emplace_back();
      next_begin_ += interval_edges_;
    }
    return intervals_.back();
  }
  /// The FIFO holds `frames` frames after `edge`; since the last call their number did not change.
  void level(std::int64_t edge, std::size_t frames) {
    if (edge > since_) {
      while (frames_ >> bin_shift_ >= most_bins) double_bins();
      const std::size_t bin = frames_ >> bin_shift_;
      if (histogram_.size() <= bin) histogram_.resize(bin + 1);
      histogram_[bin] += edge - since_;
      for (std::int64_t at = since_; at < edge; at = next_begin_) {
        Interval& in = interval_of(at);
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

  void double_bins() {
    for (std::size_t i = 0; i < histogram_.size(); ++i) {
      const std::int64_t periods = std::exchange(histogram_[i], 0);
      histogram_[i / 2] += periods;
    }
    histogram_.resize((histogram_.size() + 1) / 2);
    ++bin_shift_;
  }

  FrameDrain drain_;
  std::int64_t interval_edges_;
  std::vector<Interval> intervals_;
  std::int64_t next_begin_ = 0; // begin of the interval after the last one in intervals_
  std::vector<std::int64_t> histogram_;
  int bin_shift_ = 0; // a level shifted right by it is its bin
  std::int64_t since_ = 0;
  std::size_t frames_ = 0;
  std::size_t peak_ = 0;
  std::int64_t peak_edge_ = 0;
};

} // namespace hypermon
