// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "sw/monitors/scms/clients/clients_part.hpp"
#include "sw/monitors/scms/clients/result_keys.hpp"
#include "sw/monitors/scms/design_of.hpp"
#include "sw/monitors/scms/failures.hpp"
#include "sw/monitors/scms/params.hpp"
#include "sw/monitors/scms/plugins/params.hpp"
#include "sw/monitors/scms/plugins/result_keys.hpp"
#include "sw/monitors/scms/result_keys.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace hypermon {
namespace {

/// Checks that need no machine.
void check_scms(const Spec& spec) {
  if (spec.monitor != "scms") return;
  const auto& params = spec.get<ScmsParams>();
  const scms::Design design = scms::design_of(spec);
  scms::failures_of(spec, design.tree);
  scms::pushes_of(spec);
  if (params.queue_messages > 0 && params.filter_threshold >= 0)
    throw UserError("scms.queue_messages = " + std::to_string(params.queue_messages) +
                    ": must be 0 with scms.filter_threshold = " + std::to_string(params.filter_threshold) +
                    ": a filter would not send the values again that a queue dropped");
  const Place root = scms::places_of(spec, design.tree)[index(design.tree.root())];
  Places(spec).check_reaches(scms::network_of(spec), root, "scms.root_node = \"" + params.root_node + "\"");
  scms::check_clients(spec, design.tree);
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
  return {
      .kind = Part::Kind::monitor,
      .name = "scms",
      .sections = std::move(sections),
      .check = check_scms,
      .results = keys_of(scms_keys, scms_plugin_keys, scms_client_keys),
      .monitor = {.ledger_unit = "samples",
                  .losses = {{"agent", "overwritten", "a more recent value replaced this one before it was sent on"},
                             {"agent", "dropped", "the queue of an SMA was full"},
                             {"agent", "late", "the request had been answered without the value"},
                             {"agent", "left", "the value's node was given up while the value waited"},
                             {"agent", "unfinished",
                              "the value was under way when the run ended, or was lost with an agent that died"}},
                  .takes_samples = true,
                  .sampling_interval = scms_interval,
                  .description = "SCMS/RMS's tree of agents"}};
}

} // namespace hypermon
