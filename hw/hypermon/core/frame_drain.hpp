// SPDX-License-Identifier: BSD-3-Clause
// What a frame FIFO and its reader, fed with frames alone, count.
#pragma once
#include "hw/hypermon/core/drained_fifo.hpp"
#include "hw/hypermon/core/frame_push.hpp"
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
      : fifo_(Fifo<std::uint32_t>(depth, policy), reader, reader.read_time(words), 0_ps) {}

  /// Edges rise. `level(edge, frames)` is told how many frames are inside after each edge at which one left or came;
  /// what is lost by the push is in counts() afterwards.
  template <class Level> void push(const FramePush& push, Level&& level) {
    const Time edge = cycles(push.edge);
    read_before(edge, level);
    counts_.most_found = std::max<std::uint64_t>(counts_.most_found, fifo_.frames().size());
    if (const auto lost = fifo_.push(edge, push.data, [this](std::uint32_t, Time at) { left(at); })) {
      if (counts_.frames_lost++ == 0) counts_.first_overrun = push.edge;
      counts_.words_lost += *lost;
    }
    counts_.peak = std::max<std::uint64_t>(counts_.peak, fifo_.frames().size());
    level(push.edge, fifo_.frames().size());
  }
  /// Until nothing is left inside.
  template <class Level> void finish(Level&& level) { read_before(Time::never(), level); }
  const DrainCounts& counts() const { return counts_; }

private:
  template <class Level> void read_before(Time limit, Level&& level) {
    fifo_.read_before(limit, [&](std::uint32_t, Time at) {
      left(at);
      level(at / clock_period, fifo_.frames().size());
    });
  }
  void left(Time edge) {
    ++counts_.drained;
    counts_.end = edge / clock_period;
  }

  DrainedFifo<std::uint32_t> fifo_; // of the frames' words
  DrainCounts counts_;
};

} // namespace hypermon
