// SPDX-License-Identifier: BSD-3-Clause
// Captures stretches of windows at once. This needs a builder that is as fast as the windows and, for each strobe of an
// input, a window of its own. Then nothing can be lost before the frame FIFO, and the order of strobes does not matter:
// a map tells which windows have a frame and when it is built. What happens at the frame FIFO is computed in one of two
// ways:
//
//   ideal reader, drop_newest   in closed form (WindowMap::read): all frames of the stretch leave at times that are
//                               known at once, also those that leave after its end (not_yet_left())
//   other designs               by ReaderAhead: frames that are inside at the end wait in frames_
//
// Both ways are needed: the closed form takes a third of the instructions, but has no groups, costs and stalls, and
// knows the number of frames inside but not which they are. Tests compare both with the clock-by-clock contract
// (tests/monitors/hypermon/core).
#include "hw/hypermon/core/capture_board.hpp"
#include <algorithm>
#include <limits>

namespace hypermon {

// Stretches end before the horizon. After a stretch that could not be captured, shorter ones are tried, so that few
// windows around a shared window are simulated edge by edge. Returns true if the horizon is too near for the next
// stretch, which may stay pending for `lag`.
bool CaptureBoard::capture_in_bulk(const Time lag) {
  constexpr std::int64_t fewest = 64;    // windows; fewer are not worth the effort
  constexpr std::int64_t shortest = 512; // windows; if they cannot be captured in bulk they are simulated edge by edge
  if (drain_ != nullptr || pbx_faults_) return false;
  if (frames_.size() > most_in_memory_ && !reads_in_closed_form())
    return false; // each stretch takes one turn of the reader for every frame inside
  for (;;) {
    const Time first = inputs_.first_strobe();
    if (first < bulk_->again || first >= horizon_) return false;
    const bool may_wait = first >= horizon_ - lag;
    const std::uint64_t window = window_of(first);
    const Time begin = end_of(window) - window_;
    const Time to_be_read = clock_period + build_time_ + bulk_->frame_time * 4;
    const Time end = horizon_ - to_be_read - std::max(begin, 0_ps); // reset skew may start window 0 before time 0
    const std::int64_t n = std::min(end / window_, bulk_->longest);
    if (n < fewest) return may_wait;
    switch (capture_windows(window, static_cast<std::size_t>(n))) {
    case Captured::all:
      bulk_->longest = std::min<std::int64_t>(2 * bulk_->longest, WindowMap::windows);
      continue;
    case Captured::not_yet:
      if (may_wait) return true;
      [[fallthrough]];
    case Captured::not_in_bulk:
      bulk_->longest = std::max(n / 2, shortest);
      if (n > shortest) continue;
      bulk_->again = begin + window_ * n;
      return false;
    }
  }
}

CaptureBoard::Captured CaptureBoard::capture_windows(const std::uint64_t first_window, const std::size_t n) {
  Bulk& bulk = *bulk_;
  const Time begin = end_of(first_window) - window_;
  const Time end = begin + window_ * static_cast<std::int64_t>(n);
  bulk.map.clear();
  bulk.runs.clear();
  std::uint64_t strobes = 0;
  std::uint32_t input = ~0u;
  Time last;
  const bool apart =
      inputs_.runs_before(end, [&](const Input& in, const std::uint8_t* data, std::size_t m, Time first, Time spacing) {
        if ((m > 1 && spacing < window_) || (in.index == input && first - last < window_)) return false;
        input = in.index;
        last = first + spacing * static_cast<std::int64_t>(m - 1);
        bulk.runs.push_back({input, m, data, first - origin_, spacing, inputs_.sequence(in, data)});
        bulk.map.add(first - begin, spacing, m);
        strobes += m;
        return true;
      });
  if (!apart) return Captured::not_in_bulk;

  const Time first_built = begin + window_ + clock_period + build_time_;
  std::size_t read = n; // windows whose frames are no longer in the FIFO
  if (reads_in_closed_form()) {
    if (!read_windows(n, first_built)) return Captured::not_yet;
  } else {
    read = follow_windows(n, first_built);
  }
  hand_over();
  const bool all_read = bulk.lost == 0 && bulk.inside.empty();
  if (!all_read) sort_strobes(first_window, read);
  inputs_.drop_before(end);
  next_edge_ = next_edge(now_);

  const Stretch stretch(bulk.layout, all_read ? bulk.runs : bulk.read, bulk.map, first_window, read, begin);
  const std::uint64_t built = stretch.frame_count() + bulk.lost + bulk.inside.size();
  counts_.frames_built += built;
  counts_.merged += strobes - built;
  if (stretch.frame_count() == 0) return Captured::all;
  counts_.drained += stretch.frame_count();
  words_drained_ += stretch.frame_count() * format_.words();
  counts_.end = stretch.read_end(stretch.last_window());
  if (sink_ != nullptr) {
    sink_->stretch(stretch);
  } else {
    const auto frames = stretch.frames();
    delivered_.insert(delivered_.end(), frames.begin(), frames.end());
  }
  return Captured::all;
}

// The closed form needs pushes at least two edges apart: with pushes at successive edges, the reader begins the first
// frame only at the second push.
bool CaptureBoard::reads_in_closed_form() const {
  return !keeps_groups_ && reader_.ideal() && frames_.policy() == WhenFull::drop_newest && window_ > clock_period;
}

// Returns false if some reads would end after the horizon and frames may not be delivered ahead.
bool CaptureBoard::read_windows(const std::size_t n, const Time first_built) {
  const Time frame_time = bulk_->frame_time;
  const Time next = frames_.empty()     ? reader_.next_action()
                    : reader_.reading() ? reader_.read_end()
                                        : reader_.next(now_, unread()) + frame_time;
  const Time occupied = frames_.empty() ? next : next + frame_time * static_cast<std::int64_t>(frames_.size() - 1);
  // Frames leave one frame time apart while there is a backlog, so the backlog gives the number of frames inside.
  const Time full = frame_time * static_cast<std::int64_t>(frames_.depth() - 1);
  const auto [until, backlog, lost, first_lost] = bulk_->map.read(n, first_built, frame_time, occupied, full);
  if (until >= horizon_ && !delivers_ahead_) return false;

  for (Time leaves = next; !frames_.empty(); leaves += frame_time) {
    take_oldest(leaves);
    if (delivered_.size() >= most_delivered) hand_over();
  }
  if (lost > 0 && counts_.frames_lost == 0) counts_.first_overrun = first_lost;
  counts_.frames_lost += lost;
  bulk_->lost = lost;
  const auto peak = backlog < 0_ps ? 1 : static_cast<std::uint64_t>((backlog + frame_time - 1_ps) / frame_time) + 1;
  counts_.peak_frame_fifo = std::max(counts_.peak_frame_fifo, peak);
  reader_.idle_since(until);
  bulk_->read_until = until;
  return true;
}

// Returns the first window whose frame is still inside, or n. Frames are numbered in the order of building, from the
// oldest in the FIFO.
std::size_t CaptureBoard::follow_windows(const std::size_t n, const Time first_built) {
  Bulk& bulk = *bulk_;
  const std::size_t depth = frames_.depth();
  const bool drops_oldest = frames_.policy() == WhenFull::drop_oldest;
  const Time begun = std::max(now_, followed_until_);
  const ReaderAhead reader(reader_, bulk.frame_time, begun);
  const ReaderAhead::State begin = reader.begin();
  ReaderAhead::State s = begin; // a copy whose address is not taken, so that it stays in registers
  bulk.turns.resize(frames_.size() + bulk.map.used_between(0, n));
  ReaderAhead::Turn* const turns = bulk.turns.data();
  for (std::size_t i = 0; i < frames_.size(); ++i) turns[i] = reader.next_inside(s);

  bulk.dropped.clear();
  bulk.map.begin_reading(first_built);
  std::size_t peak = counts_.peak_frame_fifo;
  Time last;
  const auto follow = [&](Time edge, auto&& next) {
    if (s.turns >= depth && turns[s.turns - depth].end >= edge) [[unlikely]] {
      const auto begins = [&](std::size_t turn) { return turns[turn].end - bulk.frame_time; };
      std::size_t waiting = 0; // frames after this edge that the reader has not begun; it can have begun at most two
      if (drops_oldest) {
        waiting = depth - (begins(s.turns - depth) <= edge ? 1 : 0);
        if (depth > 1 && begins(s.turns - depth + 1) <= edge) --waiting;
      }
      bulk.dropped.push_back({s.turns + bulk.dropped.size() - waiting, edge});
    } else {
      const ReaderAhead::Turn turn = next(s, edge);
      turns[s.turns - 1] = turn;
    }
    while (s.turns > peak && turns[s.turns - 1 - peak].end > edge) ++peak;
    last = edge;
  };
  if (!keeps_groups_ && reader_.ideal())
    bulk.map.each_built(n, [&](std::size_t, Time edge) {
      follow(edge, [&](auto& state, Time built) { return reader.next_alone(state, built); });
    });
  else if (reader.counts_later())
    bulk.map.each_built(n, [&](std::size_t, Time edge) {
      follow(edge, [&](auto& state, Time built) { return reader.next(state, built); });
    });
  else
    bulk.map.each_built(n, [&](std::size_t, Time edge) {
      follow(edge, [&](auto& state, Time built) { return reader.next<false>(state, built); });
    });
  bulk.turns.resize(s.turns);
  counts_.peak_frame_fifo = peak;
  followed_until_ = now_ = last;
  reader_ = reader.after(last, bulk.turns, s);
  deal_with_frames(n);
  return bulk.inside.empty() ? n : bulk.inside.front();
}

// Handles the frames up to now_ that were not dropped: each has had its turn or is still in the FIFO.
void CaptureBoard::deal_with_frames(const std::size_t n) {
  Bulk& bulk = *bulk_;
  bulk.lost = 0;
  bulk.inside.clear();
  bulk.dropped.push_back({std::numeric_limits<std::size_t>::max(), {}});
  auto dropped = bulk.dropped.begin();
  auto turn = bulk.turns.begin();
  std::size_t frame = 0;
  std::size_t kept = 0; // number of frames_ that stay
  for (const std::size_t older = frames_.size(); frame < older; ++frame)
    if (frame == dropped->frame) {
      lose_frame(frames_[kept], dropped->edge);
      frames_.erase(kept);
      ++dropped;
    } else if (const Time end = turn++->end; end <= now_) {
      take_oldest(end);
    } else {
      ++kept;
    }
  bulk.map.each_built(n, [&](std::size_t window, Time) {
    if (frame++ == dropped->frame) [[unlikely]] {
      if (counts_.frames_lost++ == 0) counts_.first_overrun = dropped->edge;
      ++bulk.lost;
      bulk.map.set_lost(window, dropped->edge);
      ++dropped;
    } else if (const Time end = turn++->end; end <= now_) [[likely]] {
      bulk.map.set_read(window, end);
    } else {
      bulk.inside.push_back(static_cast<std::uint32_t>(window));
    }
  });
}

// Reports the losses, puts frames that are still inside into frames_, and leaves the runs of the frames that were read,
// for windows before `read`.
void CaptureBoard::sort_strobes(const std::uint64_t first_window, const std::size_t read) {
  Bulk& bulk = *bulk_;
  bulk.place.resize(WindowMap::windows);
  bulk.built.clear();
  for (const std::uint32_t k : bulk.inside) {
    bulk.place[k] = static_cast<std::uint32_t>(bulk.built.size());
    Built& built = bulk.built.emplace_back();
    built.window = first_window + k;
    built.frame.timestamp = timestamps_.stamp(built.window);
  }
  const WindowSteps steps(window_);
  const Time begin = window_ * static_cast<std::int64_t>(first_window);
  bulk.read.clear();
  for (const StrobeRun& run : bulk.runs) {
    WindowSteps::Place at = steps.place(static_cast<std::uint64_t>((run.first - begin).ps()));
    const WindowSteps::Place by = steps.place(static_cast<std::uint64_t>(run.spacing.ps()));
    const auto last = static_cast<std::size_t>(bulk.layout.window_of(run, run.n - 1) - first_window);
    if (last < read && !bulk.map.any_lost(at.window, last)) {
      bulk.read.push_back(run);
      continue;
    }
    std::size_t piece = 0; // begin of strobes that are read one after the other
    const auto read_up_to = [&](std::size_t i) {
      if (i > piece)
        bulk.read.push_back({run.input, i - piece, run.data + piece * inputs_.datum_bytes(),
                             run.first + run.spacing * static_cast<std::int64_t>(piece), run.spacing,
                             run.sequence + piece});
    };
    for (std::size_t i = 0; i < run.n; ++i, WindowSteps::go_on(at, by)) {
      const std::size_t k = at.window;
      const bool lost = bulk.map.lost(k);
      if (!lost && k < read) continue;
      read_up_to(i);
      piece = i + 1;
      if (lost) {
        const Time edge = bulk.map.end(k);
        lose(run.input, run.sequence + i, cause_of_overrun(edge), edge);
      } else {
        Built& built = bulk.built[bulk.place[k]];
        built.frame.vector |= 1u << run.input;
        built.frame.data[run.input] = bulk.layout.datum(run, i);
        built.last[run.input] = run.sequence + i;
      }
    }
    read_up_to(run.n);
  }
  for (const Built& built : bulk.built) frames_.push(built);
}

// Number of frames of the last stretch that are in the FIFO before `edge`.
std::size_t CaptureBoard::not_yet_left(const Time edge) const {
  if (!bulk_ || edge > bulk_->read_until) return 0;
  return static_cast<std::size_t>((bulk_->read_until - edge) / bulk_->frame_time) + 1;
}

} // namespace hypermon
