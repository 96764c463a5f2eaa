// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "sw/monitors/scms/clients/clients_part.hpp"
#include "sw/monitors/scms/design_of.hpp"
#include "sw/monitors/scms/failures.hpp"
#include "sw/monitors/scms/params.hpp"
#include "sw/monitors/scms/plugins/params.hpp"
#include "sw/monitors/scms/plugins/plugin_results.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace hypermon {
namespace {

/// All that can be known before there is a machine.
void check_scms(const Spec& spec) {
  if (spec.monitor != "scms") return;
  const auto& params = spec.get<ScmsParams>();
  const scms::Design design = scms::design_of(spec);
  scms::failures_of(spec, design.tree);
  scms::pushes_of(spec);
  if (params.queue_messages > 0 && params.filter_threshold >= 0)
    throw UserError("scms.queue_messages = " + std::to_string(params.queue_messages) +
                    ": must be 0 with scms.filter_threshold = " + std::to_string(params.filter_threshold) +
                    ": what a queue drops a filter would not send again");
  const Place root = scms::places_of(spec, design.tree)[index(design.tree.root())];
  Places(spec).check_reaches(scms::network_of(spec), root, "scms.root_node = \"" + params.root_node + "\"");
  scms::check_clients(spec, design.tree);
}

ResultKeys scms_results() {
  ResultKeys keys{
      {"monitor.root", "", "scms: where the root SMA runs.", result::text},
      {"monitor.smas", "", "scms: SMAs of the tree."},
      {"monitor.depth", "", "scms: levels of SMAs above the CMAs."},
      {"monitor.live_nodes", "", "scms: that the root takes for live in the end."},
      {"monitor.cpu_s", "s", "scms: CPU time of all agents."},
      {"monitor.values_read", "values", "scms: by plug-ins."},
      {"monitor.values_filtered", "values", "scms: of these, not pushed: they had not changed."},
      {"monitor.rounds_incomplete", "", "scms: pushed on by an SMA without some of its children."},
      {"monitor.requests", "", "scms: that agents got from clients and from each other."},
      {"monitor.cached_values", "values", "scms: answered from caches."},
      {"monitor.asked_nodes", "", "scms: nodes in requests that SMAs sent."},
      {"monitor.merged_nodes", "", "scms: nodes that they did not ask: another request for the same was under way."},
      {"monitor.unanswered_nodes", "", "scms: nodes answered as missing after scms.timeout_s."},
      {"monitor.late_nodes", "", "scms: nodes whose answer came after that."},
      {"monitor.overload.first_s", "s",
       "scms: when a round was first skipped, a message dropped, or late; null if never.", result::or_null()},
      {"monitor.overload.first_at", "", "scms: the agent at which the first overload occurred; null if none did.",
       result::or_null(result::text)},
      {"monitor.overload.rounds_skipped", "",
       "scms: readings and pulls whose date passed while the one before was not done."},
      {"monitor.overload.dropped_messages", "messages", "scms: by full queues of SMAs."},
      {"monitor.overload.late_messages", "messages",
       "scms: pushes that an agent handled more than their period after they were sent."},
      {"monitor.overload.longest_queue", "messages", "scms: that waited at an agent."},
      {"monitor.overload.longest_queue_s", "s", "scms: when the queue was longest; null if no message waited.",
       result::or_null()},
      {"monitor.overload.longest_queue_at", "", "scms: the agent with the longest queue; null if no message waited.",
       result::or_null(result::text)},
      {"monitor.failures[].failure", "", "scms: of scms.failures, in their order.", result::text},
      {"monitor.failures[].at_s", "s", "scms: when it begins."},
      {"monitor.failures[].agents", "", "scms: how many agents it takes away."},
      {"monitor.failures[].detected_s", "s",
       "scms: when an SMA noticed (of a node: that its CMA is dead); null if none did.", result::or_null()},
      {"monitor.failures[].back_s", "s", "scms: when that agent had joined the tree again; null if it has not.",
       result::or_null()},
      {"monitor.levels[].level", "", "scms: 0 is the root's."},
      {"monitor.levels[].kind", "", "scms: sma, or cma.", result::text},
      {"monitor.levels[].agents", "", "scms: of that kind there."},
      {"monitor.levels[].messages", "messages", "scms: that they sent."},
      {"monitor.levels[].bytes", "B", "scms: that they sent."},
      {"monitor.levels[].cpu_s", "s", "scms: CPU time of all of them."},
      {"monitor.levels[].busiest_cpu_s", "s", "scms: of the busiest one."},
      {"monitor.tree.smas[].number", "", "scms: 0 is the root."},
      {"monitor.tree.smas[].place", "", "scms: where it runs.", result::text},
      {"monitor.tree.smas[].parent", "", "scms: the SMA above; null of the root.", result::or_null()},
      {"monitor.tree.smas[].level", "", "scms: 0 of the root."},
      {"monitor.tree.smas[].children", "", "scms: agents of its partition."},
      {"monitor.tree.smas[].nodes", "", "scms: below it."},
      {"monitor.tree.smas[].live_nodes", "", "scms: of these that it takes for live in the end."},
      {"monitor.tree.smas[].longest_queue", "messages", "scms: that waited at it."},
      {"monitor.tree.smas[].messages", "messages", "scms: that it sent."},
      {"monitor.tree.smas[].bytes", "B", "scms: that it sent."},
      {"monitor.tree.smas[].cpu_s", "s", "scms: its CPU time."},
      {"monitor.tree.smas[].incarnations", "", "scms: processes that it was, one after the other."},
      {"monitor.tree.smas[].alive", "", "scms: in the end.", result::truth},
      {"monitor.tree.cmas[].node", "", "scms: its node."},
      {"monitor.tree.cmas[].sma", "", "scms: the SMA of its partition."},
      {"monitor.tree.cmas[].messages", "messages", "scms: that it sent."},
      {"monitor.tree.cmas[].bytes", "B", "scms: that it sent."},
      {"monitor.tree.cmas[].cpu_s", "s", "scms: its CPU time."},
      {"monitor.tree.cmas[].incarnations", "", "scms: processes that it was."},
      {"monitor.tree.cmas[].alive", "", "scms: in the end.", result::truth}};
  for (const char* kind : {"request", "reply", "push", "pull", "control"}) {
    keys.push_back({std::string("monitor.messages.") + kind, "messages", "scms: of that kind that agents sent."});
    keys.push_back({std::string("monitor.bytes.") + kind, "B", "scms: of these, headers of TCP not counted."});
  }
  for (ResultKey& key : scms::plugin_results()) keys.push_back(std::move(key));
  for (ResultKey& key : scms::client_results()) keys.push_back(std::move(key));
  return keys;
}

std::optional<SamplingInterval> scms_interval(const Spec& spec) {
  const auto pushes = scms::pushes_of(spec);
  const auto shortest = std::ranges::min_element(pushes, {}, &scms::PushText::period);
  if (shortest == pushes.end()) return {};
  return SamplingInterval{"scms.push", shortest->period};
}

} // namespace

Part scms_part() {
  std::vector<SectionKind> sections;
  sections.push_back(section<ScmsParams>("scms", "SCMS/RMS: a tree of agents."));
  sections.push_back(section<ScmsPluginParams>("scms_plugins", "Plug-ins of SCMS/RMS's agents on the nodes."));
  for (SectionKind& own : scms::client_sections()) sections.push_back(std::move(own));
  return {.kind = Part::Kind::monitor,
          .name = "scms",
          .sections = std::move(sections),
          .check = check_scms,
          .results = scms_results(),
          .monitor = {.ledger_unit = "samples",
                      .losses = {{"agent", "overwritten", "a younger value took its place before it was sent on"},
                                 {"agent", "dropped", "a full queue of an SMA"},
                                 {"agent", "late", "its request had been answered without it"},
                                 {"agent", "left", "its node was given up while the value waited"},
                                 {"agent", "unfinished", "on its way when the run ended, or with an agent that died"}},
                      .takes_samples = true,
                      .sampling_interval = scms_interval,
                      .description = "SCMS/RMS's tree of agents"}};
}

} // namespace hypermon
