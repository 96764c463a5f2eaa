// SPDX-License-Identifier: BSD-3-Clause
// Result keys of HPVM's monitor.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct HpvmKeys {
  ResultKey<std::string> network{"monitor.network", "", "hpvm: the network that queries and answers go over."};
  ResultKey<bool> shares_programs_network{"monitor.shares_programs_network", "",
                                          "hpvm: is that the one of the program's messages?"};
  ResultKey<bool> is_compute_node{"monitor.is_compute_node", "",
                                  "hpvm: does the monitor run on a node of the program?"};
  ResultKey<std::vector<std::string>> objects{"monitor.objects[]", "", "hpvm: performance objects that are asked for."};
  ResultKey<int> values_a_sweep{
      "monitor.values_a_sweep", "values",
      "hpvm: of all nodes, as the program has named them; of the phase of the schedule that has most."};
  ResultKey<int> sweeps{"monitor.sweeps", "sweeps", "hpvm: that were made, by all threads of the monitor."};
  ResultKey<int> missed_sweeps{"monitor.missed_sweeps", "sweeps",
                               "hpvm: whose date passed while the one before was made."};
  ResultKey<int> missed_samples{"monitor.missed_samples", "samples",
                                "hpvm: that these would have taken; they are in no ledger."};
  ResultKey<double> least_sweep_s{"monitor.least_sweep_s", "s",
                                  "hpvm: what a sweep takes at least, with nobody else there; of the longest phase."};
  ResultKey<double> longest_sweep_s{"monitor.longest_sweep_s", "s", "hpvm: what the longest one took."};
  ResultKey<int> queries{"monitor.queries", "queries", "hpvm: sent to nodes."};
  ResultKey<double> query_cpu_s{"monitor.query_cpu_s", "s", "hpvm: CPU time that all nodes have spent on them."};
  struct Rules {
    ResultList list{"monitor.rules[]"};
    ResultKey<std::string> rule{"monitor.rules[].rule", "",
                                "hpvm: of hpvm.rules, in their order; no such keys without any."};
    ResultKey<int> fired{"monitor.rules[].fired", "",
                         "hpvm: how often its condition began to hold for a node, as far as the monitor has seen."};
    ResultKey<std::optional<double>> first_s{"monitor.rules[].first_s", "s",
                                             "hpvm: when that was first; null if it never did."};
    ResultKey<std::vector<int>> nodes{"monitor.rules[].nodes[]", "", "hpvm: the nodes for which it ever did."};
    ResultKey<int> sweeps{"monitor.rules[].sweeps", "sweeps", "hpvm: of such nodes that it has brought."};
    ResultKey<int> missed_sweeps{"monitor.rules[].missed_sweeps", "sweeps", "hpvm: of these, whose date passed."};
    ResultKey<int> missed_samples{"monitor.rules[].missed_samples", "samples", "hpvm: that these would have taken."};
  } rules;
  struct Clock {
    ResultKey<double> bound_us{"monitor.clock.bound_us", "us",
                               "hpvm: promised error of the global clock: the largest of all readings of clocks."};
    ResultKey<double> error_us{"monitor.clock.error_us", "us", "hpvm: the largest true one."};
    ResultKey<double> start_alone_error_us{"monitor.clock.start_alone_error_us", "us",
                                           "hpvm: the largest, if offsets from the start alone were removed."};
    ResultKey<int> outside{"monitor.clock.outside", "readings", "hpvm: whose true error is larger than promised."};
    struct Nodes {
      ResultList list{"monitor.clock.nodes[]"};
      ResultKey<int> node{"monitor.clock.nodes[].node", "", "hpvm: the same of each node."};
      ResultKey<std::optional<int>> before_local_ps{
          "monitor.clock.nodes[].before_local_ps", "ps",
          "hpvm: clock of the node at the best probe before the run; null if none was answered."};
      ResultKey<std::optional<int>> before_monitor_ps{
          "monitor.clock.nodes[].before_monitor_ps", "ps",
          "hpvm: clock of the monitor at that probe; null if none was answered."};
      ResultKey<std::optional<double>> before_bound_us{
          "monitor.clock.nodes[].before_bound_us", "us",
          "hpvm: largest error of the comparison of the two; below zero if that probe was faster than cristian.min_us "
          "allows; null if no probe was answered."};
      ResultKey<std::optional<int>> after_local_ps{
          "monitor.clock.nodes[].after_local_ps", "ps",
          "hpvm: clock of the node at the best probe after the run; null without a probe then."};
      ResultKey<std::optional<int>> after_monitor_ps{
          "monitor.clock.nodes[].after_monitor_ps", "ps",
          "hpvm: clock of the monitor at that probe; null without a probe then."};
      ResultKey<std::optional<double>> after_bound_us{
          "monitor.clock.nodes[].after_bound_us", "us",
          "hpvm: largest error of that comparison, as before the run; null without a probe then."};
      ResultKey<double> offset_us{"monitor.clock.nodes[].offset_us", "us",
                                  "hpvm: monitor's clock less the node's, at the start."};
      ResultKey<double> drift_ppm{"monitor.clock.nodes[].drift_ppm", "ppm",
                                  "hpvm: of the monitor's clock against the node's; 0 if only the start was probed."};
      ResultKey<int> readings{"monitor.clock.nodes[].readings", "readings",
                              "hpvm: of the node's clock: one an answer."};
      ResultKey<double> bound_us{"monitor.clock.nodes[].bound_us", "us", "hpvm: promised error, the largest."};
      ResultKey<double> error_us{"monitor.clock.nodes[].error_us", "us", "hpvm: true error, the largest."};
      ResultKey<double> start_alone_error_us{"monitor.clock.nodes[].start_alone_error_us", "us",
                                             "hpvm: with the start's offset alone."};
      ResultKey<int> outside{"monitor.clock.nodes[].outside", "readings",
                             "hpvm: whose true error is larger than promised."};
    } nodes;
  } clock;
};
inline constexpr HpvmKeys hpvm_keys{};

} // namespace hypermon
