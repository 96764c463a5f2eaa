// SPDX-License-Identifier: BSD-3-Clause
// Parameters and results of the trace funnel, and the conditions between its parameters.
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/funnel/core/params.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/monitors/funnel/chips.hpp"
#include "sw/monitors/funnel/params.hpp"
#include "sw/monitors/funnel/result_keys.hpp"

#include <algorithm>

namespace hypermon {
namespace {

/// The parameter path of a problem on the chip with that first node.
std::string path_of(const TraceProblem& problem, const Spec& spec, NodeId first) {
  switch (problem.part) {
  case TraceProblem::Part::design:
    return "funnel." + problem.parameter;
  case TraceProblem::Part::protocol:
    return "funnel_protocol." + problem.parameter;
  case TraceProblem::Part::link:
    return "funnel_link." + problem.parameter;
  case TraceProblem::Part::formatter:
    return "funnel_formatter." + problem.parameter;
  case TraceProblem::Part::sink:
    return "funnel_sink." + problem.parameter;
  case TraceProblem::Part::source:
    break;
  }
  const std::size_t node = index(first) + problem.source;
  const bool own = spec.get<TraceSourceSection>().differing.contains(node);
  return "funnel_source" + (own ? "[" + std::to_string(node) + "]" : std::string()) + "." + problem.parameter;
}

/// Every event of the catalogue must fit into every source.
void check_lengths(const Spec& spec) {
  const Catalogue catalogue = read_catalogue(spec.get<InstrumentationParams>().catalogue);
  std::size_t longest = 0;
  for (const EventRow& row : catalogue.rows()) longest = std::max(longest, stored_bytes(spec, row.data_bytes()));
  if (longest > longest_message(spec))
    throw UserError("funnel_source.fifo_bytes = " + std::to_string(spec.get<TraceSourceSection>().fifo_bytes.number) +
                    ": must hold an event of " + std::to_string(longest) + " bytes, the longest of the catalogue \"" +
                    catalogue.name() +
                    "\" (stimulus.store_bytes = " + std::to_string(spec.get<StimulusParams>().store_bytes) +
                    "), but takes at most " + std::to_string(longest_message(spec)) + " (funnel_protocol)");
}

void check_funnel(const Spec& spec) {
  if (!is_funnel(spec)) return;
  for (std::size_t chip = 0; chip < chips_of(spec); ++chip)
    if (const auto problem = problem_of(design_of(spec, chip)))
      throw UserError(path_of(*problem, spec, first_of(spec, chip)) + " = " + problem->value + ": " + problem->must);
  const bool is_stream = workload_of(spec).workload.is_stream;
  if (is_stream && any_holds(spec))
    throw UserError("funnel_source.full = stall: must be drop with workload = " + spec.workload +
                    ", which no node can wait for");
  if (!is_stream) check_lengths(spec);
}

std::string no_such_node(const Spec& spec, std::size_t node) {
  if (node < static_cast<std::size_t>(spec.nodes)) return "";
  return "nodes = " + std::to_string(spec.nodes);
}

bool funnel_applies_back_pressure(const Spec& spec) { return is_funnel(spec) && any_holds(spec); }

} // namespace

Part funnel_part() {
  Part part{
      .kind = Part::Kind::monitor,
      .name = "funnel",
      .sections = {section<StimulusParams>("stimulus", "Trace port of a node, to which its program stores events."),
                   section<ChipParams>("funnel",
                                       "Chips of the trace funnel, each with one funnel tree, formatter and sink."),
                   section<TraceSourceSection>("funnel_source", "Trace source of each node."),
                   section<TraceProtocolParams>("funnel_protocol", "Protocol of trace messages."),
                   section<TraceLinkParams>("funnel_link", "Links between sources, funnels and formatter."),
                   section<TraceFormatterParams>("funnel_formatter", "Formatter of a chip."),
                   section<TraceSinkParams>("funnel_sink", "Trace sink of a chip.")},
      .check = check_funnel,
      .results = keys_of(funnel_keys),
      .monitor = {.ledger_unit = "bytes",
                  .losses = {{"source", "fifo_full"},
                             {"sink", "buffer_full"},
                             {"sink", "overwritten"},
                             {"analyst", "no_sync",
                              "the event arrived after a gap and before the source's next synchronisation"}},
                  .records = true,
                  .takes_streams = true,
                  .applies_back_pressure = funnel_applies_back_pressure,
                  .description = "a trace funnel as in CoreSight or RISC-V"}};
  for (SectionKind& kind : part.sections) {
    kind.is_behind_ports = kind.name != "stimulus";
    if (kind.name == "funnel_source") kind.no_such = no_such_node, kind.each = "node";
  }
  return part;
}

} // namespace hypermon
