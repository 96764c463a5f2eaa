// SPDX-License-Identifier: BSD-3-Clause
// Observer of a trace funnel, write by write and edge by edge, for waveforms. A funnel without a probe has no cost from
// it.
#pragma once
#include "base/time.hpp"

#include <cstdint>
#include <span>

namespace hypermon {

/// Content of a trace funnel after all writes and edges up to a time.
struct TraceFunnelState {
  struct Source {
    std::uint32_t fifo_bytes = 0;
    std::uint32_t link_words = 0;
    std::uint32_t held = 0;   ///< messages that wait for room
    bool overflowing = false; ///< drops everything until it has drained
  };
  struct Funnel {
    std::uint32_t fifo_words = 0;
    std::int32_t granted = -1; ///< number of the granted input; -1: none
  };
  std::span<const Source> sources;
  std::span<const Funnel> funnels; ///< those at the sources first, the root last
  bool flushing = false;
  std::uint32_t frame_bytes = 0; ///< bytes in the unfinished frame
  std::uint64_t sink_bytes = 0;
  bool reading = false; ///< a burst leaves the sink
  bool blackout = false;
};

class TraceProbe {
public:
  virtual ~TraceProbe() = default;
  /// A message is written; it may be accepted, held or dropped.
  virtual void written(std::uint32_t source, Time time, std::size_t bytes) = 0;
  /// A write or an edge was simulated. The state is valid until the funnel continues.
  virtual void changed(Time time, const TraceFunnelState& state) = 0;
};

} // namespace hypermon
