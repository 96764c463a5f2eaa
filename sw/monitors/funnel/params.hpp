// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the trace funnel as a monitor. Its hardware has others (hw/funnel/core/params.hpp).
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "base/several.hpp"
#include "hw/funnel/core/params.hpp"

#include <cstdint>

namespace hypermon {

/// The port to which a node's program stores its events.
struct StimulusParams {
  Nanoseconds store_ns = 50;
  std::int64_t store_bytes = 4;
};

struct ChipParams {
  std::int64_t sources = 8;
};

using TraceSourceSection = Several<TraceSourceParams>;

constexpr auto fields_of(const StimulusParams*) {
  using P = StimulusParams;
  return fields(
      Field{"store_ns", &P::store_ns, range(0.1, 1e6),
            "CPU time of one store to the node's trace port, preparation of the data included.",
            "chosen: an uncached store; a tracepoint that writes 32 B to memory takes 92 to 131 ns (facts [Gebai, "
            "Dagenais 2016])"},
      Field{"store_bytes", &P::store_bytes, power_of_two(1, 8), "B",
            "Bytes of one store to the trace port. The last store of an event is filled up with zeros.",
            "chosen: a word"});
}
static_assert(all_members_described<StimulusParams>());

constexpr auto fields_of(const ChipParams*) {
  return fields(Field{"sources", &ChipParams::sources, range(1, 111), "nodes",
                      "Number of consecutive nodes that form one chip and share its funnels, formatter and sink.",
                      "facts [CoreSight, funnel]: 2 to 8 a funnel; more have a tree of them"});
}
static_assert(all_members_described<ChipParams>());

} // namespace hypermon
