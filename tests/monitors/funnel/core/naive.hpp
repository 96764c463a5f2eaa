// SPDX-License-Identifier: BSD-3-Clause
// The contract of docs/design/funnel.md done naively: every clock edge, every byte by itself, decisions first and
// changes after them. Shares with the core only how a message is encoded.
#pragma once
#include "hw/funnel/core/design.hpp"
#include "hw/funnel/core/trace_counts.hpp"

#include <optional>
#include <vector>

namespace hypermon::testing {

struct TraceWrite {
  std::uint32_t source;
  Time time;
  std::vector<std::uint8_t> payload;
};

struct TraceChunk {
  std::vector<std::uint8_t> bytes;
  bool gap;
  Time time;
  bool operator==(const TraceChunk&) const = default;
};

/// State that is queried at a horizon.
struct TraceSnapshot {
  TraceFunnelCounts counts;
  std::vector<TraceSourceCounts> sources;
  std::vector<std::optional<Time>> resumed_at;
  bool operator==(const TraceSnapshot&) const = default;
};

struct TraceOutcome {
  std::vector<DeliveredTrace> delivered;
  std::vector<LostTrace> losses; ///< by time, source, sequence
  std::vector<TraceChunk> stream;
  std::vector<TraceSnapshot> snapshots; ///< at the horizons, and at the end
  bool operator==(const TraceOutcome&) const = default;
};

/// `writes` in the order of their times for each source, before `stop` if it is given; `horizons` in order.
TraceOutcome naive_trace_funnel(const TraceFunnelDesign& design, const std::vector<TraceWrite>& writes,
                                std::optional<Time> stop, const std::vector<Time>& horizons);

} // namespace hypermon::testing
