// The frame FIFO and the program that drains it, fed with frames alone: edge by edge where something happens, as
// CaptureBoard does it, for any reader and for both policies that drop.
#pragma once
#include "hw/core/fifo.hpp"
#include "hw/hypermon/core/frame_push.hpp"
#include "hw/hypermon/core/reader.hpp"
#include <cstdint>
#include <optional>

namespace hypermon {

/// What a frame FIFO and its reader did with the frames pushed into it.
struct DrainCounts {
  std::uint64_t frames_lost = 0;
  std::uint64_t words_lost = 0; ///< of node FIFOs, in lost frames
  std::uint64_t drained = 0;
  std::uint64_t peak = 0;                    ///< most frames in the FIFO after an edge
  std::uint64_t most_found = 0;              ///< most that a push found, before its edge
  std::optional<std::int64_t> first_overrun; ///< edge of the first frame lost
  std::int64_t end = 0;                      ///< edge at which the last frame left
  bool operator==(const DrainCounts&) const = default;
};

class FrameDrain {
public:
  /// Frames of `words` words each.
  FrameDrain(std::int64_t depth, WhenFull policy, const Reader& reader, std::size_t words)
      : frames_(depth, policy), reader_(reader), read_time_(reader.read_time(words)) {}

  /// Edges rise. `level(edge, frames)` is told how many frames are inside after each edge at which one left or came;
  /// what is lost by the push is in counts() afterwards.
  template <class Level> void push(const FramePush& push, Level&& level) {
    const Time edge = cycles(push.edge);
    read_before(edge, level);
    const std::size_t frames_before = frames_.size();
    counts_.most_found = std::max<std::uint64_t>(counts_.most_found, frames_before);
    read_at(edge);
    if (const auto lost = frames_.arrive(push.data, frames_before, reader_.reading() ? 1 : 0)) {
      if (counts_.frames_lost++ == 0) counts_.first_overrun = push.edge;
      counts_.words_lost += *lost;
    }
    counts_.peak = std::max<std::uint64_t>(counts_.peak, frames_.size());
    now_ = edge;
    level(push.edge, frames_.size());
  }
  /// Until nothing is left inside.
  template <class Level> void finish(Level&& level) { read_before(Time::never(), level); }
  const DrainCounts& counts() const { return counts_; }

private:
  std::size_t unread() const { return frames_.size() - (reader_.reading() ? 1 : 0); }
  template <class Level> void read_before(Time limit, Level&& level) {
    for (Time edge = reader_.next(now_, unread()); edge < limit; edge = reader_.next(now_, unread())) {
      if (read_at(edge)) level(edge / clock_period, frames_.size());
      now_ = edge;
    }
  }
  /// As CaptureBoard::read_at(): true if a frame has left.
  bool read_at(Time edge) {
    const std::size_t waiting = unread();
    const bool leaves = reader_.ends_at(edge);
    if (leaves) {
      frames_.pop();
      ++counts_.drained;
      counts_.end = edge / clock_period;
      reader_.end_frame(edge, 0_ps);
    }
    if (reader_.starts_at(edge, waiting)) reader_.start_frame(edge, read_time_);
    return leaves;
  }

  Fifo<std::uint32_t> frames_; // their words
  Reader reader_;
  Time read_time_;
  Time now_;
  DrainCounts counts_;
};

} // namespace hypermon
