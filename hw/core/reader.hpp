// The program that drains the frame FIFO (spec sec. 3): the ideal reader is the group reader without costs. Where
// its kind says so, the spec's closed form gives the same (property test) at a third of the work.
#pragma once
#include "hw/core/frame_fifo.hpp"
#include "hw/core/params.hpp"

namespace hypermon {

/// At a look the reader notes how many frames wait and reads so many, four words each. An idle reader looks at
/// every edge. Costs end at the first edge at or after them (chosen); the stall counter starts again at each
/// stall (chosen); the count is what the 12-bit register can say.
class Reader {
public:
  static constexpr std::size_t largest_count = 4095;

  Reader(const PbxParams& pbx, const ReaderParams& p)
      : ideal_(p.kind == "ideal"), frame_time_(edge_at_or_after(Time::from_ns(4 * pbx.word_ns))) {
    if (ideal_) return;
    group_cost_ = edge_at_or_after(Time::from_ns(p.group_ns));
    frame_cost_ = edge_at_or_after(Time::from_ns(p.frame_ns));
    stall_ = edge_at_or_after(Time::from_ns(p.stall_ns));
    stall_every_ = static_cast<std::uint64_t>(p.stall_every_frames);
  }

  /// All looks at edges before `horizon`. The FIFO holds what was pushed before the first of them.
  void run(FrameFifo& fifo, Time horizon) {
    while (next_look_ < horizon && fifo.unclaimed() > 0) read_group(fifo);
  }
  /// A frame is pushed at `edge`; false: the FIFO was full. A look at that edge does not see it; a reader that
  /// finds nothing looks again at each edge.
  bool take_in_group(FrameFifo& fifo, Time edge, EventFrame frame) {
    run(fifo, edge + 1_ps);
    if (fifo.unclaimed() == 0) next_look_ = std::max(next_look_, edge + clock_period);
    return fifo.push(edge, frame);
  }
  bool ideal() const { return ideal_; }
  /// The ideal reader: a frame that is pushed at `edge` finds room and makes no new peak. Frames leave frame_time_
  /// apart while the reader is busy, so no backlog smaller than one seen raises the peak, and none below
  /// (depth - 1) frame times finds the FIFO full.
  bool surely_room(Time edge) const { return next_look_ - edge <= harmless_backlog_; }
  /// The ideal reader takes a frame that is pushed at `edge`; returns the edge at which it leaves.
  Time schedule(Time edge) { return next_look_ = std::max(edge + clock_period, next_look_) + frame_time_; }
  /// The ideal reader: a frame is pushed at `edge`; false: the FIFO was full.
  bool take(FrameFifo& fifo, Time edge, EventFrame frame) {
    if (!fifo.push(edge, frame)) return false;
    harmless_backlog_ = std::min(std::max({harmless_backlog_, next_look_ - edge, 0_ps - 1_ps}),
                                 frame_time_ * (fifo.depth() - 1) - 1_ps);
    fifo.claim(schedule(edge));
    return true;
  }
  /// Starts again, idle, at `edge`.
  void reset(Time edge) {
    next_look_ = edge;
    since_stall_ = 0;
    harmless_backlog_ = none;
  }

private:
  static constexpr Time none = 0_ps - Time::never();
  void read_group(FrameFifo& fifo) {
    const std::size_t count = std::min(fifo.unclaimed(), largest_count);
    Time start = next_look_ + group_cost_;
    for (std::size_t i = 0; i < count; ++i) {
      fifo.claim(start + frame_time_);
      start += frame_time_ + frame_cost_;
    }
    since_stall_ += count;
    if (stall_every_ > 0 && since_stall_ >= stall_every_) {
      start += stall_;
      since_stall_ = 0;
    }
    next_look_ = start;
  }

  bool ideal_;
  Time frame_time_;
  Time group_cost_;
  Time frame_cost_;
  Time stall_;
  std::uint64_t stall_every_ = 0;
  std::uint64_t since_stall_ = 0;
  Time next_look_;
  Time harmless_backlog_ = none; // the ideal reader's; up to it there is room and no new peak
};

} // namespace hypermon
