// SPDX-License-Identifier: BSD-3-Clause
// Result keys of SCMS/RMS's agents.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct ScmsKeys {
  ResultKey<std::string> root{"monitor.root", "", "scms: where the root SMA runs."};
  ResultKey<int> smas{"monitor.smas", "", "scms: SMAs of the tree."};
  ResultKey<int> depth{"monitor.depth", "", "scms: levels of SMAs above the CMAs."};
  ResultKey<int> live_nodes{"monitor.live_nodes", "", "scms: that the root takes for live in the end."};
  ResultKey<double> cpu_s{"monitor.cpu_s", "s", "scms: CPU time of all agents."};
  ResultKey<int> values_read{"monitor.values_read", "values", "scms: by plug-ins."};
  ResultKey<int> values_filtered{"monitor.values_filtered", "values",
                                 "scms: of these, not pushed: they had not changed."};
  ResultKey<int> rounds_incomplete{"monitor.rounds_incomplete", "",
                                   "scms: pushed on by an SMA without some of its children."};
  ResultKey<int> requests{"monitor.requests", "", "scms: that agents got from clients and from each other."};
  ResultKey<int> cached_values{"monitor.cached_values", "values", "scms: answered from caches."};
  ResultKey<int> asked_nodes{"monitor.asked_nodes", "", "scms: nodes in requests that SMAs sent."};
  ResultKey<int> merged_nodes{"monitor.merged_nodes", "",
                              "scms: nodes that they did not ask: another request for the same was under way."};
  ResultKey<int> unanswered_nodes{"monitor.unanswered_nodes", "",
                                  "scms: nodes answered as missing after scms.timeout_s."};
  ResultKey<int> late_nodes{"monitor.late_nodes", "", "scms: nodes whose answer came after that."};
  struct Overload {
    ResultKey<std::optional<double>> first_s{
        "monitor.overload.first_s", "s",
        "scms: when a round was first skipped, a message dropped, or late; null if never."};
    ResultKey<std::optional<std::string>> first_at{
        "monitor.overload.first_at", "", "scms: the agent at which the first overload occurred; null if none did."};
    ResultKey<int> rounds_skipped{"monitor.overload.rounds_skipped", "",
                                  "scms: readings and pulls whose date passed while the one before was not done."};
    ResultKey<int> dropped_messages{"monitor.overload.dropped_messages", "messages", "scms: by full queues of SMAs."};
    ResultKey<int> late_messages{"monitor.overload.late_messages", "messages",
                                 "scms: pushes that an agent handled more than their period after they were sent."};
    ResultKey<int> longest_queue{"monitor.overload.longest_queue", "messages", "scms: that waited at an agent."};
    ResultKey<std::optional<double>> longest_queue_s{"monitor.overload.longest_queue_s", "s",
                                                     "scms: when the queue was longest; null if no message waited."};
    ResultKey<std::optional<std::string>> longest_queue_at{
        "monitor.overload.longest_queue_at", "", "scms: the agent with the longest queue; null if no message waited."};
  } overload;
  struct Failures {
    ResultList list{"monitor.failures[]"};
    ResultKey<std::string> failure{"monitor.failures[].failure", "", "scms: of scms.failures, in their order."};
    ResultKey<double> at_s{"monitor.failures[].at_s", "s", "scms: when it begins."};
    ResultKey<int> agents{"monitor.failures[].agents", "", "scms: how many agents it takes away."};
    ResultKey<std::optional<double>> detected_s{
        "monitor.failures[].detected_s", "s",
        "scms: when an SMA noticed (of a node: that its CMA is dead); null if none did."};
    ResultKey<std::optional<double>> back_s{"monitor.failures[].back_s", "s",
                                            "scms: when that agent had joined the tree again; null if it has not."};
  } failures;
  struct Levels {
    ResultList list{"monitor.levels[]"};
    ResultKey<int> level{"monitor.levels[].level", "", "scms: 0 is the root's."};
    ResultKey<std::string> kind{"monitor.levels[].kind", "", "scms: sma, or cma."};
    ResultKey<int> agents{"monitor.levels[].agents", "", "scms: of that kind there."};
    ResultKey<int> messages{"monitor.levels[].messages", "messages", "scms: that they sent."};
    ResultKey<int> bytes{"monitor.levels[].bytes", "B", "scms: that they sent."};
    ResultKey<double> cpu_s{"monitor.levels[].cpu_s", "s", "scms: CPU time of all of them."};
    ResultKey<double> busiest_cpu_s{"monitor.levels[].busiest_cpu_s", "s", "scms: of the busiest one."};
  } levels;
  struct Tree {
    struct Smas {
      ResultList list{"monitor.tree.smas[]"};
      ResultKey<int> number{"monitor.tree.smas[].number", "", "scms: 0 is the root."};
      ResultKey<std::string> place{"monitor.tree.smas[].place", "", "scms: where it runs."};
      ResultKey<std::optional<int>> parent{"monitor.tree.smas[].parent", "", "scms: the SMA above; null of the root."};
      ResultKey<int> level{"monitor.tree.smas[].level", "", "scms: 0 of the root."};
      ResultKey<int> children{"monitor.tree.smas[].children", "", "scms: agents of its partition."};
      ResultKey<int> nodes{"monitor.tree.smas[].nodes", "", "scms: below it."};
      ResultKey<int> live_nodes{"monitor.tree.smas[].live_nodes", "",
                                "scms: of these that it takes for live in the end."};
      ResultKey<int> longest_queue{"monitor.tree.smas[].longest_queue", "messages", "scms: that waited at it."};
      ResultKey<int> messages{"monitor.tree.smas[].messages", "messages", "scms: that it sent."};
      ResultKey<int> bytes{"monitor.tree.smas[].bytes", "B", "scms: that it sent."};
      ResultKey<double> cpu_s{"monitor.tree.smas[].cpu_s", "s", "scms: its CPU time."};
      ResultKey<int> incarnations{"monitor.tree.smas[].incarnations", "",
                                  "scms: processes that it was, one after the other."};
      ResultKey<bool> alive{"monitor.tree.smas[].alive", "", "scms: in the end."};
    } smas;
    struct Cmas {
      ResultList list{"monitor.tree.cmas[]"};
      ResultKey<int> node{"monitor.tree.cmas[].node", "", "scms: its node."};
      ResultKey<int> sma{"monitor.tree.cmas[].sma", "", "scms: the SMA of its partition."};
      ResultKey<int> messages{"monitor.tree.cmas[].messages", "messages", "scms: that it sent."};
      ResultKey<int> bytes{"monitor.tree.cmas[].bytes", "B", "scms: that it sent."};
      ResultKey<double> cpu_s{"monitor.tree.cmas[].cpu_s", "s", "scms: its CPU time."};
      ResultKey<int> incarnations{"monitor.tree.cmas[].incarnations", "", "scms: processes that it was."};
      ResultKey<bool> alive{"monitor.tree.cmas[].alive", "", "scms: in the end."};
    } cmas;
  } tree;
  // By the kind of message.
  std::array<ResultKey<int>, 5> messages{
      {{"monitor.messages.request", "messages", "scms: of that kind that agents sent."},
       {"monitor.messages.reply", "messages", "scms: of that kind that agents sent."},
       {"monitor.messages.push", "messages", "scms: of that kind that agents sent."},
       {"monitor.messages.pull", "messages", "scms: of that kind that agents sent."},
       {"monitor.messages.control", "messages", "scms: of that kind that agents sent."}}};
  std::array<ResultKey<int>, 5> bytes{{{"monitor.bytes.request", "B", "scms: of these, headers of TCP not counted."},
                                       {"monitor.bytes.reply", "B", "scms: of these, headers of TCP not counted."},
                                       {"monitor.bytes.push", "B", "scms: of these, headers of TCP not counted."},
                                       {"monitor.bytes.pull", "B", "scms: of these, headers of TCP not counted."},
                                       {"monitor.bytes.control", "B", "scms: of these, headers of TCP not counted."}}};
};
inline constexpr ScmsKeys scms_keys{};

} // namespace hypermon
