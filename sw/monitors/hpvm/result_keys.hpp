// SPDX-License-Identifier: BSD-3-Clause
// Result keys of HPVM's monitor.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct HpvmKeys {
  ResultKey<std::string> network{"monitor.network", "",
                                 "Name of the network over which HPVM's queries and answers travel."};
  ResultKey<bool> shares_programs_network{"monitor.shares_programs_network", "",
                                          "True if HPVM's queries use the network of the program's messages."};
  ResultKey<bool> is_compute_node{"monitor.is_compute_node", "",
                                  "True if HPVM's monitor runs on a node of the program."};
  ResultKey<std::vector<std::string>> objects{"monitor.objects[]", "",
                                              "Performance objects that HPVM's monitor queries."};
  ResultKey<int> values_a_sweep{
      "monitor.values_a_sweep", "values",
      "Number of values that one sweep of HPVM's monitor reads from all nodes, in the schedule's phase with the most "
      "values. Instances count as the program has named them."};
  ResultKey<int> sweeps{"monitor.sweeps", "sweeps", "Number of sweeps that all threads of HPVM's monitor made."};
  ResultKey<int> missed_sweeps{"monitor.missed_sweeps", "sweeps",
                               "Number of sweeps that HPVM's monitor skipped because the previous sweep was still "
                               "under way at their scheduled time."};
  ResultKey<int> missed_samples{
      "monitor.missed_samples", "samples",
      "Number of samples that HPVM's skipped sweeps would have taken; no ledger contains them."};
  ResultKey<double> least_sweep_s{
      "monitor.least_sweep_s", "s",
      "Shortest possible duration of a sweep of HPVM's monitor without other load; the largest "
      "such duration of all phases of hpvm.schedule."};
  ResultKey<double> longest_sweep_s{"monitor.longest_sweep_s", "s", "Duration of the longest sweep of HPVM's monitor."};
  ResultKey<int> queries{"monitor.queries", "queries", "Number of queries that HPVM's monitor sent to nodes."};
  ResultKey<double> query_cpu_s{"monitor.query_cpu_s", "s", "CPU time that all nodes spent on HPVM's queries."};
  struct Rules {
    ResultList list{"monitor.rules[]"};
    ResultKey<std::string> rule{"monitor.rules[].rule", "",
                                "Rule of HPVM's monitor, in the order of hpvm.rules; absent without rules."};
    ResultKey<int> fired{
        "monitor.rules[].fired", "",
        "Number of times that the rule's condition began to hold for a node, as far as HPVM's monitor noticed."};
    ResultKey<std::optional<double>> first_s{"monitor.rules[].first_s", "s",
                                             "Time at which the rule's condition first held; null if it never did."};
    ResultKey<std::vector<int>> nodes{"monitor.rules[].nodes[]", "", "Nodes for which the rule's condition ever held."};
    ResultKey<int> sweeps{"monitor.rules[].sweeps", "sweeps",
                          "Number of sweeps that the rule caused over nodes for which its condition held."};
    ResultKey<int> missed_sweeps{
        "monitor.rules[].missed_sweeps", "sweeps",
        "Number of the rule's sweeps that were skipped because their scheduled time had passed."};
    ResultKey<int> missed_samples{"monitor.rules[].missed_samples", "samples",
                                  "Number of samples that the rule's skipped sweeps would have taken."};
  } rules;
  struct Clock {
    ResultKey<double> bound_us{
        "monitor.clock.bound_us", "us",
        "Largest promised error of HPVM's global clock among the readings of all nodes' clocks."};
    ResultKey<double> error_us{"monitor.clock.error_us", "us",
                               "Largest true error of HPVM's global clock among the readings of all nodes' clocks."};
    ResultKey<double> start_alone_error_us{
        "monitor.clock.start_alone_error_us", "us",
        "Largest true error that HPVM's global clock would have if it only removed the offsets measured at the start."};
    ResultKey<int> outside{"monitor.clock.outside", "readings",
                           "Number of readings of HPVM's global clock with a true error above the promised one."};
    struct Nodes {
      ResultList list{"monitor.clock.nodes[]"};
      ResultKey<int> node{"monitor.clock.nodes[].node", "", "Number of the node with the compared clock."};
      ResultKey<std::optional<int>> before_local_ps{
          "monitor.clock.nodes[].before_local_ps", "ps",
          "Reading of the node's clock at the best probe before the run; null if no probe was answered."};
      ResultKey<std::optional<int>> before_monitor_ps{
          "monitor.clock.nodes[].before_monitor_ps", "ps",
          "Reading of the monitor's clock at the best probe before the run; null if no probe was answered."};
      ResultKey<std::optional<double>> before_bound_us{
          "monitor.clock.nodes[].before_bound_us", "us",
          "Largest possible error of the clock comparison before the run; null if no probe was answered. Negative if "
          "the best probe was faster than cristian.min_us allows."};
      ResultKey<std::optional<int>> after_local_ps{
          "monitor.clock.nodes[].after_local_ps", "ps",
          "Reading of the node's clock at the best probe after the run; null if there was no probe then."};
      ResultKey<std::optional<int>> after_monitor_ps{
          "monitor.clock.nodes[].after_monitor_ps", "ps",
          "Reading of the monitor's clock at the best probe after the run; null if there was no probe then."};
      ResultKey<std::optional<double>> after_bound_us{
          "monitor.clock.nodes[].after_bound_us", "us",
          "Largest possible error of the clock comparison after the run; null if there was no probe then. Negative if "
          "the best probe was faster than cristian.min_us allows."};
      ResultKey<double> offset_us{"monitor.clock.nodes[].offset_us", "us",
                                  "Monitor's clock minus the node's clock at the start of the run."};
      ResultKey<double> drift_ppm{
          "monitor.clock.nodes[].drift_ppm", "ppm",
          "Drift of the monitor's clock against the node's clock; 0 if only the start was probed."};
      ResultKey<int> readings{"monitor.clock.nodes[].readings", "readings",
                              "Number of readings of the node's clock; each answer to a query has one."};
      ResultKey<double> bound_us{
          "monitor.clock.nodes[].bound_us", "us",
          "Largest promised error of HPVM's global clock among the readings of the node's clock."};
      ResultKey<double> error_us{"monitor.clock.nodes[].error_us", "us",
                                 "Largest true error of HPVM's global clock among the readings of the node's clock."};
      ResultKey<double> start_alone_error_us{"monitor.clock.nodes[].start_alone_error_us", "us",
                                             "Largest true error among the readings of the node's clock if HPVM only "
                                             "removed the offset measured at the start."};
      ResultKey<int> outside{"monitor.clock.nodes[].outside", "readings",
                             "Number of readings of the node's clock with a true error above the promised one."};
    } nodes;
  } clock;
};
inline constexpr HpvmKeys hpvm_keys{};

} // namespace hypermon
