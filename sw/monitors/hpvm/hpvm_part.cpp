// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/index_list.hpp"
#include "sw/monitors/hpvm/objects.hpp"
#include "sw/monitors/hpvm/params.hpp"
#include "sw/monitors/hpvm/place_of_monitor.hpp"
#include "sw/monitors/hpvm/rules.hpp"
#include "sw/monitors/hpvm/schedule.hpp"

#include <algorithm>
#include <optional>

namespace hypermon {
namespace {

/// All that can be known before there is a machine.
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
  return {
      .kind = Part::Kind::monitor,
      .name = "hpvm",
      .sections = {section<HpvmParams>("hpvm", "HPVM's monitor: a node that polls performance objects."),
                   section<HpvmClockParams>("cristian",
                                            "Clock probes of HPVM's global clock, by Cristian's algorithm.")},
      .check = check_hpvm,
      .results =
          {{"monitor.network", "", "hpvm: the network that queries and answers go over.", result::text},
           {"monitor.shares_programs_network", "", "hpvm: is that the one of the program's messages?", result::truth},
           {"monitor.is_compute_node", "", "hpvm: does the monitor run on a node of the program?", result::truth},
           {"monitor.objects[]", "", "hpvm: performance objects that are asked for.", result::text},
           {"monitor.values_a_sweep", "values",
            "hpvm: of all nodes, as the program has named them; of the phase of the schedule that has most."},
           {"monitor.sweeps", "sweeps", "hpvm: that were made, by all threads of the monitor."},
           {"monitor.missed_sweeps", "sweeps", "hpvm: whose date passed while the one before was made."},
           {"monitor.missed_samples", "samples", "hpvm: that these would have taken; they are in no ledger."},
           {"monitor.least_sweep_s", "s",
            "hpvm: what a sweep takes at least, with nobody else there; of the longest phase."},
           {"monitor.longest_sweep_s", "s", "hpvm: what the longest one took."},
           {"monitor.queries", "queries", "hpvm: sent to nodes."},
           {"monitor.query_cpu_s", "s", "hpvm: CPU time that all nodes have spent on them."},
           {"monitor.rules[].rule", "", "hpvm: of hpvm.rules, in their order; no such keys without any.", result::text},
           {"monitor.rules[].fired", "",
            "hpvm: how often its condition began to hold for a node, as far as the monitor has seen."},
           {"monitor.rules[].first_s", "s", "hpvm: when that was first; null if it never did.", result::or_null()},
           {"monitor.rules[].nodes[]", "", "hpvm: the nodes for which it ever did."},
           {"monitor.rules[].sweeps", "sweeps", "hpvm: of such nodes that it has brought."},
           {"monitor.rules[].missed_sweeps", "sweeps", "hpvm: of these, whose date passed."},
           {"monitor.rules[].missed_samples", "samples", "hpvm: that these would have taken."},
           {"monitor.clock.bound_us", "us",
            "hpvm: promised error of the global clock: the largest of all readings of clocks."},
           {"monitor.clock.error_us", "us", "hpvm: the largest true one."},
           {"monitor.clock.start_alone_error_us", "us",
            "hpvm: the largest, if offsets from the start alone were removed."},
           {"monitor.clock.outside", "readings", "hpvm: whose true error is larger than promised."},
           {"monitor.clock.nodes[].node", "", "hpvm: the same of each node."},
           {"monitor.clock.nodes[].before_local_ps", "ps",
            "hpvm: clock of the node at the best probe before the run; null if none was answered.", result::or_null()},
           {"monitor.clock.nodes[].before_monitor_ps", "ps",
            "hpvm: clock of the monitor at that probe; null if none was answered.", result::or_null()},
           {"monitor.clock.nodes[].before_bound_us", "us",
            "hpvm: largest error of the comparison of the two; below zero if that probe was faster than "
            "cristian.min_us allows; "
            "null if no probe was answered.",
            result::or_null()},
           {"monitor.clock.nodes[].after_local_ps", "ps",
            "hpvm: clock of the node at the best probe after the run; null without a probe then.", result::or_null()},
           {"monitor.clock.nodes[].after_monitor_ps", "ps",
            "hpvm: clock of the monitor at that probe; null without a probe then.", result::or_null()},
           {"monitor.clock.nodes[].after_bound_us", "us",
            "hpvm: largest error of that comparison, as before the run; null without a probe then.", result::or_null()},
           {"monitor.clock.nodes[].offset_us", "us", "hpvm: monitor's clock less the node's, at the start."},
           {"monitor.clock.nodes[].drift_ppm", "ppm",
            "hpvm: of the monitor's clock against the node's; 0 if only the start was probed.", result::real},
           {"monitor.clock.nodes[].readings", "readings", "hpvm: of the node's clock: one an answer."},
           {"monitor.clock.nodes[].bound_us", "us", "hpvm: promised error, the largest."},
           {"monitor.clock.nodes[].error_us", "us", "hpvm: true error, the largest."},
           {"monitor.clock.nodes[].start_alone_error_us", "us", "hpvm: with the start's offset alone."},
           {"monitor.clock.nodes[].outside", "readings", "hpvm: whose true error is larger than promised."}},
      .monitor = {.ledger_unit = "samples",
                  .takes_samples = true,
                  .sampling_interval = hpvm_interval,
                  .description = "HPVM's central monitor, which polls the nodes' counters"}};
}

} // namespace hypermon
