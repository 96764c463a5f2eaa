// SPDX-License-Identifier: BSD-3-Clause
// Occupancy of one frame FIFO that drops the newest frame, over time: the intervals of OccupancyTimeLine, in a fraction
// of the time and without a histogram. The level is lowest just before a push and highest just after it, so the
// departures between two pushes need not be followed one by one.
#pragma once
#include "hw/hypermon/core/frame_push.hpp"
#include "hw/hypermon/core/occupancy.hpp"
#include "hw/hypermon/core/reader_ahead.hpp"
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hypermon {

struct LevelExtremes {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most = 0;
  void note(std::uint64_t level) {
    least = std::min(least, level);
    most = std::max(most, level);
  }
};

/// The level with an ideal reader, from the backlog (PushBlock). Pushes are at least two edges apart.
class BacklogLevels {
public:
  BacklogLevels(std::int64_t depth, std::int64_t frame_edges)
      : frame_edges_(frame_edges), limit_((depth - 1) * frame_edges) {}

  /// Levels in the clock period before an edge and in the one after it, for edges from the last push on.
  std::uint64_t before(std::int64_t edge) { return std::min(level_, found(read_until_ - edge)); }
  std::uint64_t after(std::int64_t edge) { return std::min(level_, remaining(read_until_ - edge)); }
  /// Edge at which the reader has read all frames; negative if there was none.
  std::int64_t end() const { return read_until_; }

  struct Lost {
    std::uint64_t frames = 0;
    std::uint64_t words = 0;
  };
  /// `count_data` is called before the data in `pushes` are read, and only if a frame is lost.
  template <class F> Lost push(std::span<const FramePush> pushes, F&& count_data) {
    std::int64_t read_until = read_until_; // copies, so that they stay in registers
    std::int64_t least = least_;
    std::int64_t most = most_;
    std::int64_t backlog = 0;
    Lost lost;
    for (const FramePush& p : pushes) {
      backlog = read_until - p.edge;
      const bool full = backlog >= limit_;
      least = std::min(least, backlog);
      most = full ? most : std::max(most, backlog);
      lost.frames += full ? 1 : 0;
      read_until = full ? read_until : std::max(read_until, p.edge + 1) + frame_edges_;
    }
    if (!pushes.empty()) level_ = remaining(backlog) + (backlog >= limit_ ? 0 : 1);
    least_ = least;
    most_ = most;
    read_until = std::exchange(read_until_, read_until);
    if (lost.frames == 0) return lost;
    count_data();
    for (const FramePush& p : pushes) {
      const bool full = read_until - p.edge >= limit_;
      lost.words += full ? p.data : 0;
      read_until = full ? read_until : std::max(read_until, p.edge + 1) + frame_edges_;
    }
    return lost;
  }
  /// Least level that a push found, and most after one, since the last call.
  LevelExtremes take_extremes() {
    LevelExtremes e;
    if (least_ != none) e.note(found(std::exchange(least_, none)));
    if (most_ != -none) e.note(remaining(std::exchange(most_, -none)) + 1);
    return e;
  }

private:
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::uint64_t found(std::int64_t backlog) const {
    return backlog < 0 ? 0 : static_cast<std::uint64_t>(backlog / frame_edges_) + 1;
  }
  std::uint64_t remaining(std::int64_t backlog) const {
    return backlog <= 0 ? 0 : static_cast<std::uint64_t>((backlog - 1) / frame_edges_) + 1;
  }

  std::int64_t frame_edges_;
  std::int64_t limit_; // a push that finds this backlog finds the FIFO full
  std::int64_t read_until_ = -1;
  std::uint64_t level_ = 0;   // level after the last push; the reader begins an edge later, which the backlog includes
  std::int64_t least_ = none; // extremes of the backlogs that pushes found; most_: of those with room
  std::int64_t most_ = -none;
};

/// The level with any reader. Holds the edge at which each frame in the FIFO leaves.
class ReaderLevels {
public:
  using Lost = BacklogLevels::Lost;

  ReaderLevels(std::int64_t depth, const Reader& reader, std::int64_t frame_edges)
      : depth_(static_cast<std::uint64_t>(depth)), ahead_(reader, cycles(frame_edges), 0_ps), turns_(ahead_.begin()) {
    slots_[0] = Time::never();
  }

  std::uint64_t before(std::int64_t edge) { return found(cycles(edge)); }
  std::uint64_t after(std::int64_t edge) {
    const std::uint64_t level = found(cycles(edge));
    return level - (front() == cycles(edge) ? 1 : 0); // stays in the ring, as before() may follow
  }
  std::int64_t end() const { return last_end_ / clock_period; }

  template <class F> Lost push(std::span<const FramePush> pushes, F&& count_data) {
    ReaderAhead::State turns = turns_; // a copy, so that it stays in registers
    Lost lost;
    for (const FramePush& p : pushes) {
      const Time at = cycles(p.edge);
      const std::uint64_t level = found(at);
      extremes_.least = std::min(extremes_.least, level);
      head_ += front() == at ? 1 : 0; // that frame leaves at this edge, but makes no room for this push
      if (level >= depth_) {
        if (lost.frames++ == 0) count_data();
        lost.words += p.data;
        continue;
      }
      last_end_ = ahead_.next(turns, at).end;
      add(last_end_);
      extremes_.most = std::max(extremes_.most, tail_ - head_);
    }
    turns_ = turns;
    return lost;
  }
  LevelExtremes take_extremes() { return std::exchange(extremes_, {}); }

private:
  /// Frames that have not left before `at`. Usually at most two have left since the last call: the first two steps
  /// have no branches, which the processor could not foresee.
  std::uint64_t found(Time at) {
    head_ += front() < at ? 1 : 0;
    head_ += front() < at ? 1 : 0;
    while (front() < at) [[unlikely]]++ head_;
    return tail_ - head_;
  }
  Time front() const { return slots_[head_ & mask_]; }
  void add(Time end) {
    if (tail_ - head_ == mask_) [[unlikely]]
      grow();
    slots_[tail_ & mask_] = end;
    slots_[++tail_ & mask_] = Time::never();
  }
  void grow() {
    std::vector<Time> slots(2 * slots_.size());
    const std::uint64_t n = tail_ - head_;
    for (std::uint64_t i = 0; i <= n; ++i) slots[i] = slots_[(head_ + i) & mask_];
    slots_ = std::move(slots);
    mask_ = slots_.size() - 1;
    head_ = 0;
    tail_ = n;
  }

  std::uint64_t depth_;
  ReaderAhead ahead_;
  ReaderAhead::State turns_;
  // A ring with the times at which the frames in the FIFO leave, followed by a time that is never reached. Ring has no
  // step without a branch.
  std::vector<Time> slots_ = std::vector<Time>(64);
  std::uint64_t mask_ = 63;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
  Time last_end_ = Time::from_ps(-1);
  LevelExtremes extremes_;
};

/// `Levels`: BacklogLevels or ReaderLevels.
template <class Levels> class LevelTimeLine {
public:
  using Interval = OccupancyTimeLine::Interval;

  LevelTimeLine(Levels levels, std::int64_t interval_edges)
      : levels_(std::move(levels)), interval_edges_(interval_edges) {}

  /// Edges increase. `count_data` is called before the data in `pushes` are read, and only if a frame is lost.
  template <class F> void push(std::span<const FramePush> pushes, F&& count_data) {
    bool counted = false;
    const auto once = [&] {
      if (!std::exchange(counted, true)) count_data();
    };
    while (!pushes.empty()) {
      const std::int64_t first = pushes.front().edge;
      while (first > next_begin_) begin_next(levels_.after(next_begin_));
      if (first == next_begin_) {
        begin_next();
        add(pushes.first(1), once);
        levels_.take_extremes(); // the level before this push belongs to the interval before
        note(levels_.after(first));
        pushes = pushes.subspan(1);
      }
      const auto end = std::ranges::lower_bound(pushes, next_begin_, {}, &FramePush::edge) - pushes.begin();
      add(pushes.first(static_cast<std::size_t>(end)), once);
      pushes = pushes.subspan(static_cast<std::size_t>(end));
    }
  }
  /// Runs until all frames have been read.
  void finish() {
    if (intervals_.empty()) return;
    while (levels_.end() > next_begin_) begin_next(levels_.after(next_begin_));
    settle();
    if (levels_.end() > next_begin_ - interval_edges_)
      note(1); // the last frame
    else
      intervals_.back().least = Interval{}.least; // nothing follows the lost frame with which it begins
  }
  const std::vector<Interval>& intervals() const { return intervals_; }

private:
  template <class F> void add(std::span<const FramePush> pushes, F&& count_data) {
    const auto lost = levels_.push(pushes, count_data);
    Interval& in = intervals_.back();
    in.frames_built += pushes.size();
    in.frames_lost += lost.frames;
    in.words_lost += lost.words;
  }
  void begin_next() {
    if (!intervals_.empty()) {
      settle();
      note(levels_.before(next_begin_));
    }
    if (intervals_.size() == OccupancyTimeLine::most_intervals)
      throw std::length_error("time line: more intervals than can be kept");
    intervals_.emplace_back();
    next_begin_ += interval_edges_;
  }
  /// `level`: at the begin of the interval.
  void begin_next(std::uint64_t level) {
    begin_next();
    note(level);
  }
  void settle() {
    const LevelExtremes e = levels_.take_extremes();
    Interval& in = intervals_.back();
    in.most = std::max(in.most, e.most);
    in.least = std::min(in.least, e.least);
  }
  void note(std::uint64_t level) {
    Interval& in = intervals_.back();
    in.most = std::max(in.most, level);
    in.least = std::min(in.least, level);
  }

  Levels levels_;
  std::int64_t interval_edges_;
  std::vector<Interval> intervals_;
  std::int64_t next_begin_ = 0; // begin of the interval after the last one in intervals_
};

} // namespace hypermon
