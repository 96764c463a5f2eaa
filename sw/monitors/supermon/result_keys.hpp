// SPDX-License-Identifier: BSD-3-Clause
// Result keys of Supermon.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

/// Keys of the traffic of all processes of one kind.
struct TrafficKeys {
  ResultKey<int> processes;
  ResultKey<int> messages;
  ResultKey<int> bytes;
  ResultKey<double> cpu_s;
};

struct SupermonKeys {
  ResultKey<std::string> root{"monitor.supermon.root", "", "Computer on which the root supermon runs."};
  ResultKey<int> depth{"monitor.supermon.depth", "", "Number of levels of supermons above the mons."};
  ResultKey<double> busiest_mon_cpu_s{"monitor.supermon.busiest_mon_cpu_s", "s", "CPU time of the busiest mon."};
  ResultKey<int> longest_queue{"monitor.supermon.longest_queue", "messages",
                               "Largest number of messages that waited at a process of Supermon."};
  ResultKey<std::optional<double>> longest_queue_s{
      "monitor.supermon.longest_queue_s", "s",
      "Time at which the queue of a process of Supermon was longest; null if no message waited."};
  ResultKey<int> queries{"monitor.supermon.queries", "",
                         "Number of queries that supermons received from clients and from each other."};
  ResultKey<int> timeouts{"monitor.supermon.timeouts", "",
                          "Number of times that a supermon waited for a daemon's answer in vain."};
  ResultKey<int> burials{"monitor.supermon.burials", "", "Number of times that a supermon took a daemon for dead."};
  ResultKey<int> adoptions{"monitor.supermon.adoptions", "",
                           "Number of daemons that a supermon took over from a dead supermon."};
  ResultKey<int> late_answers{"monitor.supermon.late_answers", "",
                              "Number of answers that reached a supermon after their query was over."};
  ResultKey<int> bytes_saved{"monitor.supermon.bytes_saved", "B",
                             "Bytes that supermons did not pass on because they combined samples."};
  ResultKey<int> incarnations{"monitor.supermon.incarnations", "",
                              "Number of processes started for Supermon's daemons, restarts included."};
  struct Failures {
    ResultList list{"monitor.supermon.failures[]"};
    ResultKey<std::string> failure{"monitor.supermon.failures[].failure", "",
                                   "Failure of Supermon's daemons, in the order of supermon.failures."};
    ResultKey<double> at_s{"monitor.supermon.failures[].at_s", "s",
                           "Time at which the failure of Supermon's daemons begins."};
    ResultKey<int> daemons{"monitor.supermon.failures[].daemons", "", "Number of daemons that the failure ends."};
    ResultKey<int> nodes{"monitor.supermon.failures[].nodes", "",
                         "Number of nodes that run the failed daemons or are below them."};
    ResultKey<std::optional<double>> detected_s{
        "monitor.supermon.failures[].detected_s", "s",
        "Time at which a supermon first took a failed daemon for dead; null if none did."};
    ResultKey<int> gaps{"monitor.supermon.failures[].gaps", "",
                        "Number of gaps in clients' data of the affected nodes that the failure caused."};
    ResultKey<std::optional<double>> longest_gap_s{
        "monitor.supermon.failures[].longest_gap_s", "s",
        "Longest gap that the failure caused: time from a client's first answer without the node to its first with it; "
        "null if no gap has ended."};
  } failures;
  struct Clients {
    ResultList list{"monitor.supermon.clients[]"};
    ResultKey<std::string> place{"monitor.supermon.clients[].place", "",
                                 "Computer on which the Supermon client runs, in the order of supermon_client."};
    ResultKey<int> queries{"monitor.supermon.clients[].queries", "",
                           "Number of queries that the Supermon client made."};
    ResultKey<int> answers{"monitor.supermon.clients[].answers", "",
                           "Number of answers to queries of the Supermon client."};
    ResultKey<int> missed_queries{"monitor.supermon.clients[].missed_queries", "",
                                  "Number of queries that the Supermon client skipped because an earlier query was "
                                  "unanswered at their scheduled time."};
    ResultKey<int> unanswered{
        "monitor.supermon.clients[].unanswered", "",
        "Number of the Supermon client's queries that were not answered in time or lost their connection."};
    ResultKey<int> late_answers{"monitor.supermon.clients[].late_answers", "",
                                "Number of late answers to the Supermon client's unanswered queries."};
    ResultKey<int> samples{"monitor.supermon.clients[].samples", "",
                           "Number of nodes' samples in the answers to the Supermon client."};
    ResultKey<int> combined_nodes{"monitor.supermon.clients[].combined_nodes", "",
                                  "Number of nodes with combined samples in the answers to the Supermon client."};
    ResultKey<int> missing_nodes{
        "monitor.supermon.clients[].missing_nodes", "",
        "Number of nodes missing from answers to the Supermon client, counted in each answer."};
    ResultKey<int> answer_bytes{"monitor.supermon.clients[].answer_bytes", "B",
                                "Size of all answers that the Supermon client received."};
    ResultKey<std::optional<double>> first_s{
        "monitor.supermon.clients[].first_s", "s",
        "Duration of the Supermon client's first answered query; null if there was no answer."};
    ResultKey<std::optional<double>> mean_s{
        "monitor.supermon.clients[].mean_s", "s",
        "Mean duration of the Supermon client's answered queries; null if there was no answer."};
    ResultKey<std::optional<double>> longest_s{
        "monitor.supermon.clients[].longest_s", "s",
        "Duration of the Supermon client's longest answered query; null if there was no answer."};
    ResultKey<int> gaps{
        "monitor.supermon.clients[].gaps", "",
        "Number of gaps in the Supermon client's data: a node is missing from one or more consecutive answers."};
    ResultKey<int> gaps_under_way{
        "monitor.supermon.clients[].gaps_under_way", "",
        "Number of gaps in the Supermon client's data that have not ended: the node has not been in an answer again."};
    ResultKey<std::optional<double>> longest_gap_s{
        "monitor.supermon.clients[].longest_gap_s", "s",
        "Longest gap in the Supermon client's data: time from the first answer without a node to the first with it "
        "again; null if none has ended."};
    ResultKey<double> cpu_s{"monitor.supermon.clients[].cpu_s", "s",
                            "CPU time that the Supermon client spent on messages."};
  } clients;
  TrafficKeys mons{{"monitor.supermon.mons.processes", "", "Number of mons that Supermon runs."},
                   {"monitor.supermon.mons.messages", "messages", "Number of messages that all mons sent."},
                   {"monitor.supermon.mons.bytes", "B", "Bytes that all mons sent."},
                   {"monitor.supermon.mons.cpu_s", "s", "CPU time of all mons."}};
  TrafficKeys supermons{
      {"monitor.supermon.supermons.processes", "", "Number of supermons that Supermon runs."},
      {"monitor.supermon.supermons.messages", "messages", "Number of messages that all supermons sent."},
      {"monitor.supermon.supermons.bytes", "B", "Bytes that all supermons sent."},
      {"monitor.supermon.supermons.cpu_s", "s", "CPU time of all supermons."}};
};
inline constexpr SupermonKeys supermon_keys{};

} // namespace hypermon
