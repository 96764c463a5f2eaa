// SPDX-License-Identifier: BSD-3-Clause
// The program that drains the frame FIFO (spec sec. 3): the ideal reader is the group reader without costs.
#pragma once
#include "base/clock.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/core/registers.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hypermon {

/// At a look the reader notes how many frames wait and reads so many, word by word. An idle reader looks at every
/// edge. Costs end at the first edge at or after them (chosen); the stall counter starts again at each stall (chosen);
/// the count is what its register can say.
class Reader {
public:
  static constexpr std::size_t largest_count = mask(info(PbxRegister::frame_count));

  Reader(const PbxParams& pbx, const ReaderParams& p) : word_(pbx.word_ns) {
    if (p.kind == ReaderKind::ideal) return;
    group_cost_ = edge_at_or_after(p.group_ns);
    frame_cost_ = edge_at_or_after(p.frame_ns);
    stall_ = edge_at_or_after(p.stall_ns);
    stall_every_ = static_cast<std::uint64_t>(p.stall_every_frames);
  }

  /// It has no costs: frames are read back to back.
  bool ideal() const {
    return group_cost_ == 0_ps && frame_cost_ == 0_ps && (stall_ == 0_ps || stall_every_ == 0) && stops_until_ == 0_ps;
  }
  Time read_time(std::size_t words) const { return edge_at_or_after(word_ * static_cast<std::int64_t>(words)); }
  /// Where the bus is not bound to whole words.
  Time read_time_of_bits(std::size_t bits) const {
    return edge_at_or_after(Time::from_ps((word_.ps() * static_cast<std::int64_t>(bits) + 31) / 32));
  }

  enum class Doing : std::uint8_t {
    idle,    ///< it looks at every edge
    reading, ///< until read_end()
    busy,    ///< with what a group or a frame costs, until next_action()
    stalled, ///< the same, with reader.stall_ns
    stopped, ///< by a fault
    held,    ///< until resume()
  };
  Doing doing(Time now) const {
    if (reading_) return Doing::reading;
    if (next_action_ == Time::never()) return Doing::held;
    if (next_action_ <= now) return Doing::idle;
    if (stopped(now) && next_action_ == stops_until_) return Doing::stopped;
    return left_ == 0 && stall_ > 0_ps && stall_every_ > 0 && since_stall_ == 0 ? Doing::stalled : Doing::busy;
  }
  /// Frames of the group that are not yet read.
  std::size_t left() const { return left_; }
  /// Looks that found frames.
  std::uint64_t groups() const { return groups_; }
  bool reading() const { return reading_; }
  /// The edge at which the frame that is being read leaves.
  Time read_end() const { return read_end_; }
  /// When it acts next after edge `now`, if `waiting` frames wait then; never() if on none.
  Time next(Time now, std::size_t waiting) const {
    if (reading_) return read_end_;
    if (left_ == 0 && waiting == 0) return Time::never();
    return std::max(next_action_, now + clock_period);
  }
  /// At an edge: true if the frame that was being read leaves.
  bool ends_at(Time edge) const { return reading_ && edge == read_end_; }
  /// That frame has left; dealing with it keeps the program busy for `more` beyond reader.frame_ns.
  void end_frame(Time edge, Time more) {
    reading_ = false;
    --left_;
    ++since_stall_;
    next_action_ = edge + frame_cost_ + edge_at_or_after(more);
    if (left_ == 0 && stall_every_ > 0 && since_stall_ >= stall_every_) {
      next_action_ += stall_;
      since_stall_ = 0;
    }
  }
  /// At an edge, after end_frame() if there was one: true if it starts to read the oldest of `waiting` frames.
  bool starts_at(Time edge, std::size_t waiting) {
    if (reading_ || edge < next_action_) return false;
    if (stopped(edge)) {
      next_action_ = stops_until_;
      return false;
    }
    if (left_ == 0) {
      if (waiting == 0) return false;
      left_ = std::min(waiting, largest_count);
      ++groups_;
      next_action_ = edge + group_cost_;
      if (edge < next_action_) return false;
    }
    return true;
  }
  void start_frame(Time edge, Time read_time) {
    reading_ = true;
    read_end_ = edge + read_time;
  }
  /// The same where each word is an access of its own: it reads until words_end() says when the last one ends.
  void start_words() {
    reading_ = true;
    read_end_ = Time::never();
  }
  bool reads_words() const { return reading_ && read_end_ == Time::never(); }
  void words_end(Time end) { read_end_ = edge_at_or_after(end); }

  /// A fault: from `at` on it begins nothing for that long.
  void stop(Time at, Time duration) {
    stops_at_ = at;
    stops_until_ = duration > 0_ps ? edge_at_or_after(at + duration) : 0_ps;
  }
  bool stopped(Time at) const { return at >= stops_at_ && at < stops_until_; }
  /// The program does something else, until resume().
  void hold() { next_action_ = Time::never(); }
  void resume(Time at) { next_action_ = edge_at_or_after(at); }

  /// The ideal reader, whose frames the board follows in closed form: it has read all that waited at `end`.
  void idle_since(Time end) {
    reading_ = false;
    left_ = 0;
    next_action_ = end;
  }
  Time next_action() const { return next_action_; }

  /// Starts again, idle, at `edge`; a program that holds goes on with what it does.
  void reset(Time edge) {
    reading_ = false;
    left_ = 0;
    since_stall_ = 0;
    if (next_action_ < Time::never()) next_action_ = edge;
  }

  bool operator==(const Reader&) const = default;

private:
  friend class ReaderAhead;

  Time word_;
  Time group_cost_;
  Time frame_cost_;
  Time stall_;
  Time stops_at_;
  Time stops_until_;
  std::uint64_t stall_every_ = 0;
  std::uint64_t since_stall_ = 0;
  bool reading_ = false;
  Time read_end_;
  Time next_action_;
  std::size_t left_ = 0; // frames of the group that are not yet read
  std::uint64_t groups_ = 0;
};

} // namespace hypermon
