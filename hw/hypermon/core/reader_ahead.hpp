// SPDX-License-Identifier: BSD-3-Clause
// When the built-in reader has read each frame, as soon as it is known when the frame was built: no edges, a few
// integers for each frame, for any of its costs.
//
// The reader counts frames, it does not look at them; and a full FIFO holds as many whether it drops the newest frame
// or the oldest. So frames that found room are read one after the other in turns that do not depend on who drops what:
// the i-th that found room is the turn of itself, or, where the oldest are dropped, of the i-th that was not.
#pragma once
#include "hw/hypermon/core/reader.hpp"
#include <span>

namespace hypermon {

class ReaderAhead {
public:
  struct Turn {
    Time look; ///< the edge at which the reader saw the frames of its group
    Time end;  ///< the edge at which the frame leaves the FIFO
  };
  /// After some turns. Apart from what does not change, so that a loop has it in registers.
  struct State {
    Time free;                ///< when the reader is done with the last frame and what that costs
    Time look;                ///< of the current group
    std::uint64_t group_end;  ///< before this turn, if its frame was built before the look
    std::uint64_t stall_from; ///< the first group from this turn on begins with a stall
    std::uint64_t turns = 0;
    std::uint64_t groups = 0;
  };

  /// After edge `now`: the reader has at least as many frames to read as it is in the midst of. It does not hold.
  ReaderAhead(const Reader& reader, Time read_time, Time now);

  State begin() const;
  /// Of the next frame that is inside from the beginning; those come first.
  Turn next_inside(State& s) const { return next(s, s.turns < s.group_end ? 0_ps - clock_period : begun_); }
  /// Of the next frame that finds room, at edge `built`. No branch hangs on whether it joins the group.
  Turn next(State& s, Time built) const {
    const bool joins = (static_cast<int>(built < s.look) & static_cast<int>(s.turns < s.group_end)) != 0;
    if (s.turns >= s.stall_from && !joins) [[unlikely]] {
      s.free += stall_;
      s.stall_from = s.turns + stall_every_;
    }
    Time at = std::max(s.free, built + clock_period); // the frame's begin if it joins, as the look was before
    const Time cost = either(joins, 0_ps, group_cost_);
    Time begin = at + cost;
    if (at < stops_until_) [[unlikely]] {
      at = unstopped(at);
      begin = unstopped(at + cost);
    }
    s.look = either(joins, s.look, at);
    s.group_end = either(joins, s.group_end, s.turns + Reader::largest_count);
    s.groups += 1 - static_cast<std::uint64_t>(joins);
    ++s.turns;
    s.free = begin + busy_;
    return {s.look, begin + read_time_};
  }
  /// The same of a reader that is ideal(), with each frame as a group of its own: which groups an ideal reader has is
  /// in no result.
  Turn next_alone(State& s, Time built) const {
    const Time at = std::max(s.free, built + clock_period);
    ++s.turns;
    ++s.groups;
    s.free = at + read_time_;
    return {at, s.free};
  }
  /// The reader after edge `now`, later than the beginning; `turns` are all that there were, of frames that were built
  /// up to then.
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
  Time unstopped(Time at) const { return at >= stops_at_ && at < stops_until_ ? stops_until_ : at; }

  Reader reader_; // at the beginning
  Time begun_;
  Time read_time_;
  Time busy_; // with a frame: read_time_ and what it costs
  Time group_cost_;
  Time stops_at_;
  Time stops_until_;
  Time stall_;
  std::uint64_t stall_every_;
};

} // namespace hypermon
