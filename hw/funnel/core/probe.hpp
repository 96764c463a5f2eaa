// SPDX-License-Identifier: BSD-3-Clause
// Who watches a trace funnel change, write by write and edge by edge: for waves. Without one it pays nothing for it.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <span>

namespace hypermon {

/// What is in it after all writes and edges up to a time.
struct TraceFunnelState {
  struct Source {
    std::uint32_t fifo_bytes = 0;
    std::uint32_t link_words = 0;
    std::uint32_t held = 0;   ///< messages that wait for room
    bool overflowing = false; ///< drops everything until it has drained
  };
  struct Funnel {
    std::uint32_t fifo_words = 0;
    std::int32_t granted = -1; ///< the input that it serves; -1: none
  };
  std::span<const Source> sources;
  std::span<const Funnel> funnels; ///< those of the sources first, the root last
  bool flushing = false;
  std::uint32_t frame_bytes = 0; ///< of the frame that is being filled
  std::uint64_t sink_bytes = 0;
  bool reading = false; ///< a burst leaves the sink
  bool blackout = false;
};

class TraceProbe {
public:
  virtual ~TraceProbe() = default;
  /// A message is written, be it taken, held or dropped.
  virtual void written(std::uint32_t source, Time time, std::size_t bytes) = 0;
  /// A write or an edge is done. The state is valid until the funnel goes on.
  virtual void changed(Time time, const TraceFunnelState& state) = 0;
};

} // namespace hypermon
