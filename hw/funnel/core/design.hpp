// SPDX-License-Identifier: BSD-3-Clause
// A whole trace funnel's parameters, and what must hold between them.
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

/// The first parameter that does not go with the others, each being in its declared range.
struct TraceProblem {
  enum class Of : std::uint8_t { design, source, protocol, link, formatter, sink } of;
  std::size_t source = 0; ///< whose, of a source's
  std::string parameter;  ///< "resume_bytes"; of the design: "sources", their number
  std::string value;
  std::string must; ///< "must be at most 44 (...)"
};
std::optional<TraceProblem> problem_of(const TraceFunnelDesign& design);

struct Blackout {
  Time begin;
  Time end;
  bool operator==(const Blackout&) const = default;
};
/// Those that a text like "1.5+0.25 7+1" lists, in ms: in order, apart. Nothing if it does not.
std::optional<std::vector<Blackout>> listed_blackouts(std::string_view text);

} // namespace hypermon
