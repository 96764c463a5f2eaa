// SPDX-License-Identifier: BSD-3-Clause
// Result keys of SCMS/RMS's agents.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct ScmsKeys {
  ResultKey<std::string> root{"monitor.root", "", "Computer on which the root SMA runs."};
  ResultKey<int> smas{"monitor.smas", "", "Number of SMAs in the tree."};
  ResultKey<int> depth{"monitor.depth", "", "Number of levels of SMAs above the CMAs."};
  ResultKey<int> live_nodes{"monitor.live_nodes", "",
                            "Number of nodes that the root SMA believes to be alive at the end of the run."};
  ResultKey<double> cpu_s{"monitor.cpu_s", "s", "scms: CPU time of all agents."};
  ResultKey<int> values_read{"monitor.values_read", "values",
                             "Number of values that the plug-ins of SCMS's agents read."};
  ResultKey<int> values_filtered{
      "monitor.values_filtered", "values",
      "Number of values that SCMS's agents read, but did not push because they had not changed."};
  ResultKey<int> rounds_incomplete{
      "monitor.rounds_incomplete", "",
      "Number of rounds that an SMA pushed on without the values of some of its children."};
  ResultKey<int> requests{"monitor.requests", "",
                          "Number of requests that SCMS's agents received from clients and from each other."};
  ResultKey<int> cached_values{"monitor.cached_values", "values",
                               "Number of values that SCMS's agents answered from their caches."};
  ResultKey<int> asked_nodes{"monitor.asked_nodes", "", "Number of nodes in the requests that SMAs sent."};
  ResultKey<int> merged_nodes{
      "monitor.merged_nodes", "",
      "Number of nodes that SMAs did not request because an equal request was already under way."};
  ResultKey<int> unanswered_nodes{"monitor.unanswered_nodes", "",
                                  "Number of nodes that SMAs reported as missing after scms.timeout_s."};
  ResultKey<int> late_nodes{"monitor.late_nodes", "",
                            "Number of nodes with an answer that reached its SMA after scms.timeout_s."};
  struct Overload {
    ResultKey<std::optional<double>> first_s{"monitor.overload.first_s", "s",
                                             "Time at which an SCMS agent first skipped a round, dropped a message or "
                                             "handled one late; null if that never happened."};
    ResultKey<std::optional<std::string>> first_at{
        "monitor.overload.first_at", "", "SCMS agent at which the first overload occurred; null if there was none."};
    ResultKey<int> rounds_skipped{"monitor.overload.rounds_skipped", "",
                                  "Number of readings and pulls that SCMS's agents skipped because the previous one "
                                  "was still under way at their scheduled time."};
    ResultKey<int> dropped_messages{"monitor.overload.dropped_messages", "messages",
                                    "Number of messages that full queues of SMAs dropped."};
    ResultKey<int> late_messages{
        "monitor.overload.late_messages", "messages",
        "Number of pushes that an SCMS agent handled more than one period after they were sent."};
    ResultKey<int> longest_queue{"monitor.overload.longest_queue", "messages",
                                 "Largest number of messages that waited at an SCMS agent."};
    ResultKey<std::optional<double>> longest_queue_s{
        "monitor.overload.longest_queue_s", "s",
        "Time at which the queue of an SCMS agent was longest; null if no message waited."};
    ResultKey<std::optional<std::string>> longest_queue_at{
        "monitor.overload.longest_queue_at", "", "SCMS agent with the longest queue; null if no message waited."};
  } overload;
  struct Failures {
    ResultList list{"monitor.failures[]"};
    ResultKey<std::string> failure{"monitor.failures[].failure", "",
                                   "Failure of SCMS agents, in the order of scms.failures."};
    ResultKey<double> at_s{"monitor.failures[].at_s", "s", "Time at which the failure of SCMS agents begins."};
    ResultKey<int> agents{"monitor.failures[].agents", "", "Number of SCMS agents that the failure ends."};
    ResultKey<std::optional<double>> detected_s{
        "monitor.failures[].detected_s", "s",
        "Time at which an SMA noticed that the failed agent is dead (for a node, its CMA); null if none did."};
    ResultKey<std::optional<double>> back_s{
        "monitor.failures[].back_s", "s",
        "Time at which the failed agent had joined the tree again; null if it has not."};
  } failures;
  struct Levels {
    ResultList list{"monitor.levels[]"};
    ResultKey<int> level{"monitor.levels[].level", "", "Level of the SCMS agents in the tree; 0 is the root's."};
    ResultKey<std::string> kind{"monitor.levels[].kind", "", "Kind of the level's SCMS agents: sma or cma."};
    ResultKey<int> agents{"monitor.levels[].agents", "", "Number of SCMS agents of this kind on the level."};
    ResultKey<int> messages{"monitor.levels[].messages", "messages",
                            "Number of messages that the level's SCMS agents sent."};
    ResultKey<int> bytes{"monitor.levels[].bytes", "B", "Bytes that the level's SCMS agents sent."};
    ResultKey<double> cpu_s{"monitor.levels[].cpu_s", "s", "CPU time of all the level's SCMS agents."};
    ResultKey<double> busiest_cpu_s{"monitor.levels[].busiest_cpu_s", "s",
                                    "CPU time of the level's busiest SCMS agent."};
  } levels;
  struct Tree {
    struct Smas {
      ResultList list{"monitor.tree.smas[]"};
      ResultKey<int> number{"monitor.tree.smas[].number", "", "Number of the SMA; 0 is the root."};
      ResultKey<std::string> place{"monitor.tree.smas[].place", "", "Computer on which the SMA runs."};
      ResultKey<std::optional<int>> parent{"monitor.tree.smas[].parent", "",
                                           "Number of the SMA above this one; null if this is the root."};
      ResultKey<int> level{"monitor.tree.smas[].level", "", "Level of the SMA in the tree; 0 is the root's."};
      ResultKey<int> children{"monitor.tree.smas[].children", "", "Number of agents in the SMA's partition."};
      ResultKey<int> nodes{"monitor.tree.smas[].nodes", "", "Number of nodes below the SMA."};
      ResultKey<int> live_nodes{"monitor.tree.smas[].live_nodes", "",
                                "Number of nodes below the SMA that it believes to be alive at the end of the run."};
      ResultKey<int> longest_queue{"monitor.tree.smas[].longest_queue", "messages",
                                   "Largest number of messages that waited at the SMA."};
      ResultKey<int> messages{"monitor.tree.smas[].messages", "messages", "Number of messages that the SMA sent."};
      ResultKey<int> bytes{"monitor.tree.smas[].bytes", "B", "Bytes that the SMA sent."};
      ResultKey<double> cpu_s{"monitor.tree.smas[].cpu_s", "s", "CPU time of the SMA."};
      ResultKey<int> incarnations{"monitor.tree.smas[].incarnations", "",
                                  "Number of processes that have run as this SMA: one, plus one for each restart."};
      ResultKey<bool> alive{"monitor.tree.smas[].alive", "", "True if the SMA runs at the end of the run."};
    } smas;
    struct Cmas {
      ResultList list{"monitor.tree.cmas[]"};
      ResultKey<int> node{"monitor.tree.cmas[].node", "", "Number of the CMA's node."};
      ResultKey<int> sma{"monitor.tree.cmas[].sma", "", "Number of the SMA with the CMA in its partition."};
      ResultKey<int> messages{"monitor.tree.cmas[].messages", "messages", "Number of messages that the CMA sent."};
      ResultKey<int> bytes{"monitor.tree.cmas[].bytes", "B", "Bytes that the CMA sent."};
      ResultKey<double> cpu_s{"monitor.tree.cmas[].cpu_s", "s", "CPU time of the CMA."};
      ResultKey<int> incarnations{"monitor.tree.cmas[].incarnations", "",
                                  "Number of processes that have run as this CMA: one, plus one for each restart."};
      ResultKey<bool> alive{"monitor.tree.cmas[].alive", "", "True if the CMA runs at the end of the run."};
    } cmas;
  } tree;
  // One key for each kind of message, in the order of the kinds.
  std::array<ResultKey<int>, 5> messages{
      {{"monitor.messages.request", "messages", "Number of request messages that SCMS's agents sent."},
       {"monitor.messages.reply", "messages", "Number of reply messages that SCMS's agents sent."},
       {"monitor.messages.push", "messages", "Number of push messages that SCMS's agents sent."},
       {"monitor.messages.pull", "messages", "Number of pull messages that SCMS's agents sent."},
       {"monitor.messages.control", "messages", "Number of control messages that SCMS's agents sent."}}};
  std::array<ResultKey<int>, 5> bytes{
      {{"monitor.bytes.request", "B", "Bytes of the request messages that SCMS's agents sent, without TCP headers."},
       {"monitor.bytes.reply", "B", "Bytes of the reply messages that SCMS's agents sent, without TCP headers."},
       {"monitor.bytes.push", "B", "Bytes of the push messages that SCMS's agents sent, without TCP headers."},
       {"monitor.bytes.pull", "B", "Bytes of the pull messages that SCMS's agents sent, without TCP headers."},
       {"monitor.bytes.control", "B", "Bytes of the control messages that SCMS's agents sent, without TCP headers."}}};
};
inline constexpr ScmsKeys scms_keys{};

} // namespace hypermon
