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

/// The reader polls the number of waiting frames and reads that many, word by word. An idle reader polls at every edge.
/// Where register reads take time, it polls the status back to back, and reads the frame count after a poll that found
/// frames. Costs end at the first edge at or after them (chosen); the stall counter restarts at each stall (chosen);
/// the polled number is limited by the width of its register.
class Reader {
public:
  static constexpr std::size_t largest_count = mask(info(PbxRegister::frame_count));

  Reader(const PbxParams& pbx, const ReaderParams& p) : word_(pbx.word_ns), burst_start_(pbx.burst_start_ns) {
    if (p.kind == ReaderKind::ideal) return;
    register_read_ = edge_at_or_after(pbx.register_read_ns);
    register_write_ = edge_at_or_after(pbx.register_write_ns);
    group_cost_ = edge_at_or_after(p.group_ns);
    frame_cost_ = edge_at_or_after(p.frame_ns);
    stall_ = edge_at_or_after(p.stall_ns);
    stall_every_ = static_cast<std::uint64_t>(p.stall_every_frames);
  }

  /// The reader has no costs: it reads frames back to back.
  bool ideal() const {
    return group_cost_ == 0_ps && frame_cost_ == 0_ps && (stall_ == 0_ps || stall_every_ == 0) &&
           stops_until_ == 0_ps && register_read_ == 0_ps && register_write_ == 0_ps;
  }
  Time read_time(std::size_t words) const {
    return edge_at_or_after(burst_start_ + word_ * static_cast<std::int64_t>(words));
  }
  /// Read time on a bus that can transfer parts of words.
  Time read_time_of_bits(std::size_t bits) const {
    return edge_at_or_after(burst_start_ + Time::from_ps((word_.ps() * static_cast<std::int64_t>(bits) + 31) / 32));
  }
  /// Words of a frame that have begun `passed` after the frame's begin, if the frame has enough of them.
  std::size_t words_begun(Time passed) const {
    if (passed <= 0_ps) return 0;
    return static_cast<std::size_t>(std::max<std::int64_t>(1, (passed - burst_start_ + word_ - 1_ps) / word_));
  }

  enum class Doing : std::uint8_t {
    idle,    ///< polls at every edge
    reading, ///< reads a frame until read_end()
    busy,    ///< occupied by the frame count or the cost of a group or a frame, until next_action()
    stalled, ///< pauses for reader.stall_ns, until next_action()
    stopped, ///< stopped by an injected fault
    held,    ///< until resume()
  };
  Doing doing(Time now) const {
    if (reading_) return Doing::reading;
    if (counts_) return Doing::busy;
    if (next_action_ == Time::never()) return Doing::held;
    if (next_action_ <= now)
      return register_read_ > 0_ps && stopped(now) && next_poll(now) == stops_until_ ? Doing::stopped : Doing::idle;
    if (stopped(now) && next_action_ == stops_until_) return Doing::stopped;
    return left_ == 0 && stall_ > 0_ps && stall_every_ > 0 && since_stall_ == 0 ? Doing::stalled : Doing::busy;
  }
  /// Frames of the group that are not yet read.
  std::size_t left() const { return left_; }
  /// Number of frame counts that were read.
  std::uint64_t groups() const { return groups_; }
  /// Number of polls that found frames.
  std::uint64_t polls() const { return polls_; }
  /// A poll has found frames, and the frame count is read at next_action().
  bool counts() const { return counts_; }
  /// Time of the first poll at or after edge `earliest`, if the reader is idle until then.
  Time next_poll(Time earliest) const {
    const Time poll = poll_from(next_action_, earliest);
    const Time in_stop = poll_from(next_action_, stops_at_);
    return in_stop < stops_until_ && in_stop <= poll ? poll_from(stops_until_, earliest) : poll;
  }
  bool reading() const { return reading_; }
  /// The edge at which the frame that is being read leaves.
  Time read_end() const { return read_end_; }
  /// Time of the reader's first action after edge `now` if `waiting` frames wait then; never() if there is none.
  Time next(Time now, std::size_t waiting) const {
    if (reading_) return read_end_;
    if (left_ == 0 && !counts_) {
      if (waiting == 0) return Time::never();
      if (register_read_ > 0_ps) return next_poll(now + clock_period);
    }
    return std::max(next_action_, now + clock_period);
  }
  /// True if the frame that is being read leaves at this edge.
  bool ends_at(Time edge) const { return reading_ && edge == read_end_; }
  /// The frame that was being read has left. Processing it occupies the program for `more` beyond reader.frame_ns.
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
  /// Called at an edge, after end_frame() if a frame ended. Returns true if the reader starts the oldest of `waiting`
  /// frames.
  bool starts_at(Time edge, std::size_t waiting) {
    if (reading_ || edge < next_action_) return false;
    if (left_ == 0 && register_read_ > 0_ps) {
      read_register(edge, waiting);
      return false;
    }
    if (stopped(edge)) {
      next_action_ = stops_until_;
      return false;
    }
    if (left_ == 0) {
      if (waiting == 0) return false;
      left_ = std::min(waiting, largest_count);
      ++groups_;
      ++polls_;
      next_action_ = edge + group_cost_;
      if (edge < next_action_) return false;
    }
    return true;
  }
  void start_frame(Time edge, Time read_time) {
    reading_ = true;
    read_end_ = edge + read_time;
  }
  /// Starts a frame whose words are separate accesses. Its reading lasts until words_end() gives the end of the last
  /// word.
  void start_words() {
    reading_ = true;
    read_end_ = Time::never();
  }
  bool reads_words() const { return reading_ && read_end_ == Time::never(); }
  void words_end(Time end) { read_end_ = edge_at_or_after(end); }

  /// Injected fault: from `at` on the reader begins nothing for `duration`.
  void stop(Time at, Time duration) {
    stops_at_ = at;
    stops_until_ = duration > 0_ps ? edge_at_or_after(at + duration) : 0_ps;
  }
  bool stopped(Time at) const { return at >= stops_at_ && at < stops_until_; }
  /// Keeps the reader waiting until resume(), because the program does something else.
  void hold() { next_action_ = Time::never(); }
  void resume(Time at) { next_action_ = edge_at_or_after(at); }

  /// For an ideal reader that the board follows in closed form: it has read all waiting frames at `end`.
  void idle_since(Time end) {
    reading_ = false;
    left_ = 0;
    next_action_ = end;
  }
  Time next_action() const { return next_action_; }

  /// Restarts the reader at `edge`. It is idle after the write that resets the board. A waiting program continues its
  /// present work.
  void reset(Time edge) {
    reading_ = false;
    counts_ = false;
    left_ = 0;
    since_stall_ = 0;
    if (next_action_ < Time::never()) next_action_ = edge + register_write_;
  }

  bool operator==(const Reader&) const = default;

private:
  friend class ReaderAhead;

  // Time of the first poll at or after `earliest`. Where register reads take time, polls follow one another from `from`
  // on.
  Time poll_from(Time from, Time earliest) const {
    if (earliest <= from) return from;
    if (register_read_ == 0_ps) return edge_at_or_after(earliest);
    return from + register_read_ * ((earliest - from + register_read_ - 1_ps) / register_read_);
  }
  // A poll that finds frames, or the read of the frame count after it. Both take time.
  void read_register(Time edge, std::size_t waiting) {
    if (!counts_) {
      if (waiting == 0 || next_poll(edge) != edge) return;
      counts_ = true;
      ++polls_;
      next_action_ = edge + register_read_;
      return;
    }
    counts_ = false;
    next_action_ = edge + register_read_;
    if (waiting == 0) return; // a user's board may report another count than its status implies
    left_ = std::min(waiting, largest_count);
    ++groups_;
    next_action_ += group_cost_;
  }

  Time word_;
  Time burst_start_;
  Time register_read_;
  Time register_write_;
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
  bool counts_ = false;
  std::uint64_t groups_ = 0;
  std::uint64_t polls_ = 0;
};

} // namespace hypermon
