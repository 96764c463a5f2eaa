// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "hw/machine/several.hpp"
#include "sw/monitors/supermon/client_params.hpp"
#include "sw/monitors/supermon/design_of.hpp"
#include "sw/monitors/supermon/monhole/monhole_part.hpp"
#include "sw/monitors/supermon/monhole/result_keys.hpp"
#include "sw/monitors/supermon/params.hpp"
#include "sw/monitors/supermon/result_keys.hpp"

#include <utility>

namespace hypermon {
namespace {

/// Checks that need no machine.
void check_supermon(const Spec& spec) {
  if (spec.monitor == "supermon") supermon::check_supermon(spec);
}

} // namespace

Part supermon_part() {
  std::vector<SectionKind> sections;
  sections.push_back(section<SupermonParams>("supermon", "Supermon: a tree of daemons that exchange s-expressions."));
  sections.push_back(several<SupermonClientParams>(
      "supermon_client", "Clients of Supermon, which query its root daemon.", [](const Spec& spec, std::size_t one) {
        return beyond_count<SupermonClientSection>(spec, one, "supermon_client.count");
      }));
  sections.push_back(supermon::monhole_section());
  return {
      .kind = Part::Kind::monitor,
      .name = "supermon",
      .sections = std::move(sections),
      .check = check_supermon,
      .results = keys_of(supermon_keys, monhole_keys),
      .monitor = {
          .ledger_unit = "samples",
          .losses = {{"tree", "late", "the query had been answered without the data"},
                     {"tree", "died", "the data were lost with a daemon that died or with its client's connection"},
                     {"tree", "combined",
                      "the data were combined with others, and their sum or the like arrived instead"},
                     {"tree", "unfinished", "the data were under way when the run ended or their connection broke"}},
          .takes_samples = true,
          .sampling_interval = supermon::sampling_interval,
          .description = "Supermon's tree of daemons"}};
}

} // namespace hypermon
