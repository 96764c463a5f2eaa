// SPDX-License-Identifier: BSD-3-Clause
// Computes when the built-in reader has read a frame as soon as the frame's build time is known. It simulates no edges
// and needs a few integers for each frame, whatever the reader's costs.
//
// The reader counts frames without inspecting them, and a full FIFO holds the same number whether it drops the newest
// or the oldest frame. So frames that found room are read in turns that do not depend on the policy. Turn i belongs to
// the i-th frame that found room or, where the oldest frame is dropped, to the i-th frame that was not dropped.
#pragma once
#include "hw/hypermon/core/reader.hpp"
#include <span>

namespace hypermon {

class ReaderAhead {
public:
  struct Turn {
    Time look; ///< edge at which the reader counted the frames of its group
    Time end;  ///< the edge at which the frame leaves the FIFO
  };
  /// State after some turns. The constants are kept elsewhere, so that a loop has this in registers.
  struct State {
    Time free;                ///< time at which the reader has finished the last frame and its cost
    Time look;                ///< edge at which the reader counts the frames of the current group
    std::uint64_t group_end;  ///< turns before this one are in the group if they were built before `look`
    std::uint64_t stall_from; ///< the first group that begins at this turn or later begins with a stall
    std::uint64_t turns = 0;
    std::uint64_t groups = 0;
  };

  /// State after edge `now`. The reader must not be held, and at least as many frames wait as are left of its group.
  ReaderAhead(const Reader& reader, Time read_time, Time now);

  State begin() const;
  /// Turn of the next frame that is inside from the beginning. These frames come first.
  Turn next_inside(State& s) const { return next(s, s.turns < s.group_end ? 0_ps - clock_period : begun_); }
  /// Do reads of a register take a time of their own?
  bool counts_later() const { return register_read_ > 0_ps; }
  /// Turn of the next frame that finds room, built at edge `built`. There is no branch on whether it joins the group.
  /// `if_later`: false leaves out what only a reader that counts_later() needs, so that loops are quicker.
  template <bool if_later = true> Turn next(State& s, Time built) const {
    const bool later = if_later && counts_later();
    const bool joins = (static_cast<int>(built < s.look) & static_cast<int>(s.turns < s.group_end)) != 0;
    if (s.turns >= s.stall_from && !joins) [[unlikely]] {
      s.free += stall_;
      s.stall_from = s.turns + stall_every_;
    }
    Time at = std::max(s.free, built + clock_period); // begin of the frame if it joins, as the poll was before
    if (later && !joins) [[unlikely]]
      at = next_poll(s.free, built + clock_period) + register_read_;
    const Time cost = either(joins, 0_ps, group_cost_);
    Time begin = at + cost;
    if (at < stops_until_) [[unlikely]] {
      if (!later) at = unstopped(at);
      begin = unstopped(at + cost);
    }
    s.look = either(joins, s.look, at);
    s.group_end = either(joins, s.group_end, s.turns + Reader::largest_count);
    s.groups += 1 - static_cast<std::uint64_t>(joins);
    ++s.turns;
    s.free = begin + busy_;
    return {s.look, begin + read_time_};
  }
  /// The same for a reader that is ideal(), with each frame as a group of its own: no result contains the groups of an
  /// ideal reader.
  Turn next_alone(State& s, Time built) const {
    const Time at = std::max(s.free, built + clock_period);
    ++s.turns;
    ++s.groups;
    s.free = at + read_time_;
    return {at, s.free};
  }
  /// The reader after edge `now`, which is later than the beginning. `turns` are the turns of all frames built up to
  /// then.
  Reader after(Time now, std::span<const Turn> turns, State s) const;

private:
  static Time either(bool first, Time a, Time b) {
    return Time::from_ps(static_cast<std::int64_t>(
        either(first, static_cast<std::uint64_t>(a.ps()), static_cast<std::uint64_t>(b.ps()))));
  }
  static std::uint64_t either(bool first, std::uint64_t a, std::uint64_t b) {
    const std::uint64_t all = 0 - static_cast<std::uint64_t>(first);
    return (a & all) | (b & ~all);
  }
  Time next_poll(Time free, Time earliest) const {
    Reader idle = reader_;
    idle.next_action_ = free;
    return idle.next_poll(earliest);
  }
  Time unstopped(Time at) const { return at >= stops_at_ && at < stops_until_ ? stops_until_ : at; }

  Reader reader_; // state of the reader at the beginning
  Time begun_;
  Time read_time_;
  Time busy_; // reading and cost of a frame
  Time register_read_;
  Time group_cost_; // time from the count to the group's first frame
  Time stops_at_;
  Time stops_until_;
  Time stall_;
  std::uint64_t stall_every_;
};

} // namespace hypermon
