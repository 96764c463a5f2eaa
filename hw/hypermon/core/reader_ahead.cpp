// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/reader_ahead.hpp"
#include <limits>

namespace hypermon {

ReaderAhead::ReaderAhead(const Reader& reader, Time read_time, Time now)
    : reader_(reader), begun_(now), read_time_(read_time), busy_(read_time + reader.frame_cost_),
      register_read_(reader.register_read_), group_cost_(reader.register_read_ + reader.group_cost_),
      stops_at_(reader.stops_at_), stops_until_(reader.stops_until_), stall_(reader.stall_),
      stall_every_(reader.stall_every_ > 0 ? reader.stall_every_ : std::numeric_limits<std::uint64_t>::max() / 2) {}

// Frames of the reader's current group were built at or before `now`, all later frames after it. A group that is still
// to be counted has begun already.
ReaderAhead::State ReaderAhead::begin() const {
  if (reader_.counts_)
    return {reader_.next_action_ + group_cost_,
            reader_.next_action_,
            Reader::largest_count,
            stall_every_ - std::min(stall_every_, reader_.since_stall_),
            0,
            1};
  return {reader_.reading_ ? reader_.read_end_ - read_time_ : reader_.next_action_, begun_ + 1_ps, reader_.left_,
          stall_every_ - std::min(stall_every_, reader_.since_stall_)};
}

Reader ReaderAhead::after(Time now, std::span<const Turn> turns, State s) const {
  const auto end_of_group = [turns](std::uint64_t turn) {
    const Time look = turns[turn].look;
    while (turn < turns.size() && turns[turn].look == look) ++turn;
    return turn;
  };
  const auto next = static_cast<std::uint64_t>(
      std::ranges::partition_point(turns, [now](const Turn& t) { return t.end <= now; }) - turns.begin());

  Reader r = reader_;
  r.since_stall_ += next;
  r.next_action_ = next == 0 ? reader_.next_action_ : turns[next - 1].end + busy_ - read_time_;
  for (std::uint64_t from = begin().stall_from; from <= next;) {
    const std::uint64_t stall = end_of_group(from > 0 ? from - 1 : 0); // before this turn
    if (stall > next) break;
    r.since_stall_ = next - stall;
    if (stall == next) r.next_action_ += stall_;
    from = stall + stall_every_;
  }

  r.reading_ = false;
  r.counts_ = false;
  r.left_ = 0;
  r.groups_ += s.groups;
  std::uint64_t group = next; // first group that is not yet complete
  if (next < turns.size() && turns[next].look <= now) {
    const bool first = next == 0 ? reader_.left_ == 0 : turns[next - 1].look < turns[next].look;
    if (first) r.next_action_ = turns[next].look + group_cost_;
    r.read_end_ = turns[next].end;
    r.reading_ = r.read_end_ - read_time_ <= now;
    group = end_of_group(next);
    r.left_ = group - next;
  } else if (next < turns.size() && turns[next].look - register_read_ <= now) {
    r.counts_ = true;
    r.next_action_ = turns[next].look;
  }
  for (; group < turns.size(); group = end_of_group(group)) --r.groups_;
  r.polls_ = reader_.polls_ + r.groups_ - reader_.groups_ + (r.counts_ ? 1 : 0) - (reader_.counts_ ? 1 : 0);
  const bool polls = r.left_ == 0 && register_read_ > 0_ps; // finds its next poll itself
  if (!polls && !r.reading_ && r.next_action_ <= now && r.stopped(now)) r.next_action_ = r.stops_until_;
  return r;
}

} // namespace hypermon
