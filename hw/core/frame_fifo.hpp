// Frame FIFO (spec secs. 2 and 3). Pushes come in the order of their edges.
#pragma once
#include "hw/core/clock.hpp"
#include "hw/core/frame.hpp"
#include "hw/core/queues.hpp"
#include <algorithm>

namespace hypermon {

/// Frames in one row: first those that have left and wait to be collected, then those that are claimed (being
/// read: their leaving edge is known), then those that wait for the reader.
class FrameFifo {
public:
  explicit FrameFifo(std::int64_t depth) : depth_(static_cast<std::size_t>(depth)) {}

  /// The frame arrives at `edge`; false: the FIFO was full before it, the frame is lost.
  bool push(Time edge, EventFrame frame) {
    settle(edge);
    const std::size_t before = inside();
    if (before >= depth_) return false;
    frames_.append() = {frame, Time::never()};
    peak_ = std::max(peak_, before + 1 - leaving_at(edge));
    return true;
  }

  /// As push() and claim(), where the reader knows that there is room and that this is no peak.
  void push_claimed(EventFrame frame, Time leaves) {
    DeliveredFrame& last = frames_.append();
    last.frame = frame;
    last.read_end = leaves;
    ++claimed_;
  }
  /// The same for many: up to `n` frames are written from the returned place on, then `n` of them added.
  DeliveredFrame* room(std::size_t n) { return frames_.room(n); }
  void add_claimed(std::size_t n) {
    frames_.add(n);
    claimed_ += n;
  }
  std::int64_t depth() const { return static_cast<std::int64_t>(depth_); }

  /// Frames that no reader has claimed, and the oldest of them.
  std::size_t unclaimed() const { return frames_.size() - claimed_; }
  const EventFrame& oldest_unclaimed() const { return frames_[claimed_].frame; }
  /// The oldest unclaimed frame leaves at `edge`.
  void claim(Time edge) { frames_[claimed_++].read_end = edge; }

  /// All frames that leave at edges before `horizon` have left.
  void settle(Time horizon) {
    if (left_ == claimed_ || frames_[left_].read_end >= horizon) return;
    const DeliveredFrame* in_fifo = std::partition_point(frames_.begin() + left_, frames_.begin() + claimed_,
                                                         [=](const auto& f) { return f.read_end < horizon; });
    left_ = static_cast<std::size_t>(in_fifo - frames_.begin());
  }
  /// Frames inside, once settled.
  std::size_t inside() const { return frames_.size() - left_; }
  /// 1 if a frame leaves at this very edge (settled before it): it no longer waits for a reader.
  std::size_t leaving_at(Time edge) const { return left_ < claimed_ && frames_[left_].read_end == edge ? 1 : 0; }
  std::size_t peak() const { return peak_; }
  /// Frames that have left since the last reset, and the edge at which the last of them did (0: none).
  std::uint64_t drained() const { return collected_ + left_ - drained_before_reset_; }
  Time last_left() const {
    if (drained() == 0) return 0_ps;
    return left_ > 0 ? frames_[left_ - 1].read_end : last_collected_;
  }

  /// Frames that have left and are not yet collected.
  std::span<const DeliveredFrame> delivered() const { return frames_.first(left_); }
  void clear_delivered() {
    if (left_ == 0) return;
    last_collected_ = frames_[left_ - 1].read_end;
    collected_ += left_;
    frames_.pop_front(left_);
    claimed_ -= left_;
    left_ = 0;
  }
  /// Empties the FIFO; what has left stays to be collected.
  void reset() {
    frames_.truncate(left_);
    claimed_ = left_;
    peak_ = 0;
    drained_before_reset_ = collected_ + left_;
  }

private:
  std::size_t depth_;
  SlidingVector<DeliveredFrame> frames_;
  std::size_t left_ = 0;
  std::size_t claimed_ = 0;
  std::size_t peak_ = 0;
  std::uint64_t collected_ = 0;
  std::uint64_t drained_before_reset_ = 0;
  Time last_collected_;
};

} // namespace hypermon
