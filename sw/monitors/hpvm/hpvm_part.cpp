// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/index_list.hpp"
#include "sw/monitors/hpvm/objects.hpp"
#include "sw/monitors/hpvm/params.hpp"
#include "sw/monitors/hpvm/place_of_monitor.hpp"
#include "sw/monitors/hpvm/result_keys.hpp"
#include "sw/monitors/hpvm/rules.hpp"
#include "sw/monitors/hpvm/schedule.hpp"

#include <algorithm>
#include <optional>

namespace hypermon {
namespace {

/// Checks that need no machine.
void check_hpvm(const Spec& spec) {
  if (spec.monitor != "hpvm") return;
  const auto& params = spec.get<HpvmParams>();
  for (const hpvm::Phase& phase : hpvm::phases_of(params)) hpvm::named_counters(phase.counters, phase.path);
  hpvm::rules_of(params);
  hpvm::nodes_to_ask(spec);
  all_or_index_list("hpvm.processes", params.processes, spec.get<CpuParams>().ranks_per_node,
                    "numbers of a node's processes");
  const Place place = hpvm::place_of_monitor(spec);
  const std::string monitor = "hpvm.monitor_node = \"" + params.monitor_node + "\"";
  const NetworkId network = hpvm::network_of_monitor(spec);
  const Places places(spec);
  places.check(place, monitor);
  places.check_reaches(network, place, monitor);
}

std::optional<SamplingInterval> hpvm_interval(const Spec& spec) {
  const auto phases = hpvm::phases_of(spec.get<HpvmParams>());
  const auto shortest = std::ranges::min_element(phases, {}, &hpvm::Phase::interval);
  return SamplingInterval{shortest->path == "hpvm.counters" ? "hpvm.interval_s" : shortest->path, shortest->interval};
}

} // namespace

Part hpvm_part() {
  return {.kind = Part::Kind::monitor,
          .name = "hpvm",
          .sections = {section<HpvmParams>("hpvm", "HPVM's monitor: a node that polls performance objects."),
                       section<HpvmClockParams>("cristian",
                                                "Clock probes of HPVM's global clock, by Cristian's algorithm.")},
          .check = check_hpvm,
          .results = keys_of(hpvm_keys),
          .monitor = {.ledger_unit = "samples",
                      .takes_samples = true,
                      .sampling_interval = hpvm_interval,
                      .description = "HPVM's central monitor, which polls the nodes' counters"}};
}

} // namespace hypermon
