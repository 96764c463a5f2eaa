// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/funnel/chips.hpp"
#include "base/spec.hpp"
#include "hw/funnel/core/protocol.hpp"
#include "sw/monitors/funnel/params.hpp"

#include <algorithm>
#include <limits>

namespace hypermon {

bool is_funnel(const Spec& spec) { return spec.monitor == "funnel"; }

std::size_t chips_of(const Spec& spec) {
  const std::int64_t sources = spec.get<ChipParams>().sources;
  return static_cast<std::size_t>((spec.nodes + sources - 1) / sources);
}

NodeId first_of(const Spec& spec, std::size_t chip) {
  return NodeId{static_cast<std::uint32_t>(chip * static_cast<std::size_t>(spec.get<ChipParams>().sources))};
}

TraceFunnelDesign design_of(const Spec& spec, std::size_t chip) {
  TraceFunnelDesign design;
  const auto nodes = static_cast<std::size_t>(spec.nodes);
  const std::size_t first = index(first_of(spec, chip));
  const std::size_t end = std::min(nodes, first + static_cast<std::size_t>(spec.get<ChipParams>().sources));
  for (std::size_t node = first; node < end; ++node)
    design.sources.push_back(spec.get<TraceSourceSection>().instance(node));
  design.protocol = spec.get<TraceProtocolParams>();
  design.link = spec.get<TraceLinkParams>();
  design.formatter = spec.get<TraceFormatterParams>();
  design.sink = spec.get<TraceSinkParams>();
  return design;
}

bool holds(const Spec& spec, NodeId node) {
  return spec.get<TraceSourceSection>().instance(index(node)).full == WhenFull::stall;
}

bool any_holds(const Spec& spec) {
  for (std::uint32_t node = 0; node < spec.nodes; ++node)
    if (holds(spec, NodeId{node})) return true;
  return false;
}

std::size_t longest_message(const Spec& spec) {
  const TraceProtocol protocol(spec.get<TraceProtocolParams>());
  const auto& sources = spec.get<TraceSourceSection>();
  std::int64_t least = sources.fifo_bytes.number;
  for (const auto& [number, own] : sources.differing) least = std::min(least, own.fifo_bytes.number);
  return protocol.longest_payload(static_cast<std::size_t>(least));
}

std::size_t stored_bytes(const Spec& spec, std::size_t bytes) {
  const auto store = static_cast<std::size_t>(spec.get<StimulusParams>().store_bytes);
  return (bytes + store - 1) / store * store;
}

} // namespace hypermon
