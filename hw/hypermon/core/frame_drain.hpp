// SPDX-License-Identifier: BSD-3-Clause
// A frame FIFO and its reader, fed with frames alone, and their counts.
#pragma once
#include "base/fifo.hpp"
#include "base/spaced_times.hpp"
#include "hw/hypermon/core/frame_push.hpp"
#include "hw/hypermon/core/reader_ahead.hpp"
#include <algorithm>
#include <cstdint>
#include <optional>

namespace hypermon {

/// Results of a frame FIFO and its reader for the frames pushed into it.
struct DrainCounts {
  std::uint64_t frames_lost = 0;
  std::uint64_t words_lost = 0; ///< words of node FIFOs in lost frames
  std::uint64_t drained = 0;
  std::uint64_t peak = 0;                    ///< most frames in the FIFO after an edge
  std::uint64_t most_found = 0;              ///< most that a push found, before its edge
  std::optional<std::int64_t> first_overrun; ///< edge of the first frame lost
  std::int64_t end = 0;                      ///< edge at which the last frame left
  bool operator==(const DrainCounts&) const = default;
};

/// Covers every reader and both policies that drop. The time at which a frame leaves is known as soon as the frame has
/// found room.
class FrameDrain {
public:
  /// `frame_edges`: clock edges of reading a frame.
  FrameDrain(std::int64_t depth, WhenFull policy, const Reader& reader, std::int64_t frame_edges)
      : words_(depth, policy), read_time_(cycles(frame_edges)), ahead_(reader, read_time_, 0_ps),
        turns_(ahead_.begin()) {}

  /// A copy of the current state with another depth.
  FrameDrain with_depth(std::int64_t depth) const {
    FrameDrain other = *this;
    other.words_.set_depth(depth);
    return other;
  }

  /// Number of frames that a push at `edge` finds. Edges must increase. Calls level(edge, frames in the FIFO) after
  /// each edge at which a frame left or arrived.
  template <class Level> std::uint64_t found_at(std::int64_t edge, Level&& level) {
    const Time at = cycles(edge);
    while (!ends_.empty() && ends_.front() < at) {
      const Time left_at = leave();
      level(left_at / clock_period, ends_.size());
    }
    return ends_.size();
  }
  /// Returns the number of words in the frame that is lost through this push, if one is.
  template <class Level> std::optional<std::uint32_t> push(const FramePush& push, Level&& level) {
    const Time at = cycles(push.edge);
    const std::uint64_t found = found_at(push.edge, level);
    counts_.most_found = std::max(counts_.most_found, found);
    if (found > 0 && ends_.front() == at) leave(); // that frame leaves at this edge, but makes no room for this push
    const bool full = words_.full_at(found);
    std::optional<std::uint32_t> lost;
    if (drops_oldest()) // the frame takes the turn of the lost one
      lost = words_.arrive(static_cast<std::uint8_t>(push.data), found, is_reading(at) ? 1 : 0);
    else if (full)
      lost = push.data;
    if (!full) ends_.push(ahead_.next(turns_, at).end);
    if (lost) {
      if (counts_.frames_lost++ == 0) counts_.first_overrun = push.edge;
      counts_.words_lost += *lost;
    }
    counts_.peak = std::max<std::uint64_t>(counts_.peak, ends_.size());
    level(push.edge, ends_.size());
    return lost;
  }
  /// Runs until all frames have been read.
  template <class Level> void finish(Level&& level) { found_at(Time::never() / clock_period, level); }
  /// Counts of the frames that have left or were lost.
  DrainCounts counts() const {
    DrainCounts c = counts_;
    c.end = last_left_ / clock_period;
    return c;
  }

private:
  Time leave() {
    last_left_ = ends_.front();
    ends_.pop();
    if (drops_oldest()) words_.pop();
    ++counts_.drained;
    return last_left_;
  }
  bool drops_oldest() const { return words_.policy() == WhenFull::drop_oldest; }
  bool is_reading(Time at) const { return !ends_.empty() && ends_.front() - read_time_ <= at; }

  SpacedTimes ends_;         // edges at which the frames in the FIFO leave
  Fifo<std::uint8_t> words_; // words of each frame, at most max_inputs; used with drop_oldest only
  Time read_time_;
  ReaderAhead ahead_;
  ReaderAhead::State turns_;
  Time last_left_;
  DrainCounts counts_; // without `end`
};

} // namespace hypermon
