// SPDX-License-Identifier: BSD-3-Clause
// Parameters of a whole trace funnel, and the conditions between them.
#pragma once
#include "base/time.hpp"
#include "hw/funnel/core/params.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon {

struct TraceFunnelDesign {
  std::vector<TraceSourceParams> sources; ///< at least one
  TraceProtocolParams protocol;
  TraceLinkParams link;
  TraceFormatterParams formatter;
  TraceSinkParams sink;
};

/// The first parameter that contradicts the others, although each is in its declared range.
struct TraceProblem {
  enum class Part : std::uint8_t { design, source, protocol, link, formatter, sink } part;
  std::size_t source = 0; ///< number of the source, for a source's parameter
  std::string parameter;  ///< "resume_bytes"; for the design: "sources", the number of sources
  std::string value;
  std::string must; ///< "must be at most 44 (...)"
};
std::optional<TraceProblem> problem_of(const TraceFunnelDesign& design);

struct Blackout {
  Time begin;
  Time end;
  bool operator==(const Blackout&) const = default;
};
/// Parses a text like "1.5+0.25 7+1", in ms. Empty unless the blackouts are in order and do not overlap.
std::optional<std::vector<Blackout>> listed_blackouts(std::string_view text);

} // namespace hypermon
