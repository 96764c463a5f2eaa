// SPDX-License-Identifier: BSD-3-Clause
// Result keys of Supermon.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

/// What processes sent.
struct TrafficKeys {
  ResultKey<int> processes;
  ResultKey<int> messages;
  ResultKey<int> bytes;
  ResultKey<double> cpu_s;
};

struct SupermonKeys {
  ResultKey<std::string> root{"monitor.supermon.root", "", "supermon: where the root runs."};
  ResultKey<int> depth{"monitor.supermon.depth", "", "supermon: levels of supermons above the mons."};
  ResultKey<double> busiest_mon_cpu_s{"monitor.supermon.busiest_mon_cpu_s", "s",
                                      "supermon: CPU time of the mon that had most."};
  ResultKey<int> longest_queue{"monitor.supermon.longest_queue", "messages", "supermon: that waited at a process."};
  ResultKey<std::optional<double>> longest_queue_s{"monitor.supermon.longest_queue_s", "s",
                                                   "supermon: when that was; null if none ever waited."};
  ResultKey<int> queries{"monitor.supermon.queries", "",
                         "supermon: that supermons were asked, by clients and by each other."};
  ResultKey<int> timeouts{"monitor.supermon.timeouts", "", "supermon: daemons that a supermon has waited for in vain."};
  ResultKey<int> burials{"monitor.supermon.burials", "", "supermon: daemons that a supermon took for dead."};
  ResultKey<int> adoptions{"monitor.supermon.adoptions", "",
                           "supermon: daemons that a supermon has taken over from a dead one."};
  ResultKey<int> late_answers{"monitor.supermon.late_answers", "",
                              "supermon: that came to a supermon when their query was over."};
  ResultKey<int> bytes_saved{"monitor.supermon.bytes_saved", "B",
                             "supermon: of samples that supermons combined: what they did not pass on."};
  ResultKey<int> incarnations{"monitor.supermon.incarnations", "",
                              "supermon: processes that all daemons were, one after the other."};
  struct Failures {
    ResultList list{"monitor.supermon.failures[]"};
    ResultKey<std::string> failure{"monitor.supermon.failures[].failure", "",
                                   "supermon: of supermon.failures, in their order."};
    ResultKey<double> at_s{"monitor.supermon.failures[].at_s", "s", "supermon: when it begins."};
    ResultKey<int> daemons{"monitor.supermon.failures[].daemons", "", "supermon: how many it takes away."};
    ResultKey<int> nodes{"monitor.supermon.failures[].nodes", "", "supermon: that are these, or below them."};
    ResultKey<std::optional<double>> detected_s{
        "monitor.supermon.failures[].detected_s", "s",
        "supermon: when a supermon first took one of them for dead; null if none did."};
    ResultKey<int> gaps{"monitor.supermon.failures[].gaps", "",
                        "supermon: of these nodes that clients saw because of it."};
    ResultKey<std::optional<double>> longest_gap_s{"monitor.supermon.failures[].longest_gap_s", "s",
                                                   "supermon: the longest of these: from the first answer without the "
                                                   "node to the first with it; null if none has ended."};
  } failures;
  struct Clients {
    ResultList list{"monitor.supermon.clients[]"};
    ResultKey<std::string> place{"monitor.supermon.clients[].place", "",
                                 "supermon: where it runs; of supermon_client, in their order."};
    ResultKey<int> queries{"monitor.supermon.clients[].queries", "", "supermon: that it made."};
    ResultKey<int> answers{"monitor.supermon.clients[].answers", "", "supermon: to these."};
    ResultKey<int> missed_queries{"monitor.supermon.clients[].missed_queries", "",
                                  "supermon: whose date passed while one before was not answered."};
    ResultKey<int> unanswered{"monitor.supermon.clients[].unanswered", "",
                              "supermon: that were not answered in time, or whose connection broke."};
    ResultKey<int> late_answers{"monitor.supermon.clients[].late_answers", "", "supermon: to these."};
    ResultKey<int> samples{"monitor.supermon.clients[].samples", "", "supermon: of nodes in its answers."};
    ResultKey<int> combined_nodes{"monitor.supermon.clients[].combined_nodes", "",
                                  "supermon: of nodes in its answers whose samples came combined."};
    ResultKey<int> missing_nodes{"monitor.supermon.clients[].missing_nodes", "",
                                 "supermon: nodes that its answers lacked, each time."};
    ResultKey<int> answer_bytes{"monitor.supermon.clients[].answer_bytes", "B", "supermon: of all answers that came."};
    ResultKey<std::optional<double>> first_s{"monitor.supermon.clients[].first_s", "s",
                                             "supermon: what the first query took; null if there was no answer."};
    ResultKey<std::optional<double>> mean_s{"monitor.supermon.clients[].mean_s", "s",
                                            "supermon: what one took on the average; null if there was none."};
    ResultKey<std::optional<double>> longest_s{"monitor.supermon.clients[].longest_s", "s",
                                               "supermon: what the longest one took; null if there was none."};
    ResultKey<int> gaps{"monitor.supermon.clients[].gaps", "", "supermon: nodes that it missed from an answer on."};
    ResultKey<int> gaps_under_way{"monitor.supermon.clients[].gaps_under_way", "",
                                  "supermon: of these, nodes that have not come again."};
    ResultKey<std::optional<double>> longest_gap_s{"monitor.supermon.clients[].longest_gap_s", "s",
                                                   "supermon: from the first answer without a node to the first with "
                                                   "it again, at the longest; null if none has ended."};
    ResultKey<double> cpu_s{"monitor.supermon.clients[].cpu_s", "s", "supermon: CPU time that it spent on messages."};
  } clients;
  TrafficKeys mons{{"monitor.supermon.mons.processes", "", "supermon: how many mons there are."},
                   {"monitor.supermon.mons.messages", "messages", "supermon: sent of all mons."},
                   {"monitor.supermon.mons.bytes", "B", "supermon: that were sent of all mons."},
                   {"monitor.supermon.mons.cpu_s", "s", "supermon: CPU time of all mons."}};
  TrafficKeys supermons{{"monitor.supermon.supermons.processes", "", "supermon: how many supermons there are."},
                        {"monitor.supermon.supermons.messages", "messages", "supermon: sent of all supermons."},
                        {"monitor.supermon.supermons.bytes", "B", "supermon: that were sent of all supermons."},
                        {"monitor.supermon.supermons.cpu_s", "s", "supermon: CPU time of all supermons."}};
};
inline constexpr SupermonKeys supermon_keys{};

} // namespace hypermon
