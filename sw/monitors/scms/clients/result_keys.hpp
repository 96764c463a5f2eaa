// SPDX-License-Identifier: BSD-3-Clause
// Result keys of SCMS/RMS's clients.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct ScmsClientKeys {
  struct Clients {
    ResultList list{"monitor.clients[]"};
    ResultKey<std::string> kind{
        "monitor.clients[].kind", "",
        "Kind of SCMS clients, in the order of scms_client.kind; kinds without a period are left out."};
    ResultKey<int> clients{"monitor.clients[].clients", "", "Number of SCMS clients of this kind."};
    ResultKey<int> calls{
        "monitor.clients[].calls", "calls",
        "Number of answered calls of the kind's clients. Each call chooses a node or reads all nodes."};
    ResultKey<int> missed_calls{"monitor.clients[].missed_calls", "calls",
                                "Number of calls that the kind's clients skipped because earlier calls were unanswered "
                                "at their scheduled time."};
    ResultKey<int> requests{"monitor.clients[].requests", "",
                            "Number of requests that the calls of the kind's clients consisted of."};
    ResultKey<int> values{"monitor.clients[].values", "values", "Number of values that the kind's clients received."};
    ResultKey<int> missing{"monitor.clients[].missing", "values",
                           "Number of values missing from answers to the kind's clients: their node is dead or not "
                           "below the SMA, or no agent pushes them."};
    ResultKey<int> unprovided{
        "monitor.clients[].unprovided", "values",
        "Number of values missing from answers to the kind's clients because their plug-in is not loaded on the node."};
    ResultKey<int> failed{"monitor.clients[].failed", "values",
                          "Number of values missing from answers to the kind's clients because their plug-in crashed."};
    ResultKey<std::optional<double>> first_s{
        "monitor.clients[].first_s", "s", "Duration of the first call of the kind's clients; null if there was none."};
    ResultKey<std::optional<double>> mean_s{
        "monitor.clients[].mean_s", "s", "Mean duration of the calls of the kind's clients; null if there were none."};
    ResultKey<std::optional<double>> longest_s{
        "monitor.clients[].longest_s", "s",
        "Duration of the longest call of the kind's clients; null if there was none."};
    ResultKey<std::optional<Json>> latency_us{
        "monitor.clients[].latency_us", "us",
        "Durations of the calls of the kind's clients: p50, p99, max and distribution; null if there were none."};
    ResultKey<std::optional<double>> mean_age_s{
        "monitor.clients[].mean_age_s", "s",
        "Mean latency of the values that the kind's clients received: time from the reading of a value until its call "
        "is answered; null if no value arrived."};
    ResultKey<std::optional<double>> oldest_s{
        "monitor.clients[].oldest_s", "s",
        "Longest latency of a value that the kind's clients received; null if no value arrived."};
    ResultKey<std::optional<Json>> age_us{"monitor.clients[].age_us", "us",
                                          "Latencies of the values that the kind's clients received: p50, p99, max and "
                                          "distribution; null if no value arrived."};
    ResultKey<int> choices{"monitor.clients[].choices", "", "Number of nodes that the kind's schedulers chose."};
    ResultKey<int> judged{
        "monitor.clients[].judged", "",
        "Number of choices by schedulers for which the truth is known, because the criterion is a single counter."};
    ResultKey<int> right{
        "monitor.clients[].right", "",
        "Number of judged choices for which no node that had answered really had a lower value than the chosen node."};
    ResultKey<std::optional<double>> mean_better{"monitor.clients[].mean_better", "",
                                                 "Mean number of nodes that really had a lower value than the chosen "
                                                 "node at a judged choice; null if no choice was judged."};
    ResultKey<std::optional<double>> mean_regret{"monitor.clients[].mean_regret", "",
                                                 "Mean excess of the chosen node's true value over the smallest one at "
                                                 "the time of a judged choice; null if no choice was judged."};
    ResultKey<std::optional<int>> status{
        "monitor.clients[].status", "",
        "Return value of the user's own client; null if there was none or it has not ended."};
    ResultKey<int> messages{"monitor.clients[].messages", "messages",
                            "Number of messages that the kind's clients sent."};
    ResultKey<int> bytes{"monitor.clients[].bytes", "B", "Bytes that the kind's clients sent."};
    ResultKey<double> cpu_s{"monitor.clients[].cpu_s", "s", "CPU time that the kind's clients spent on messages."};
  } clients;
};
inline constexpr ScmsClientKeys scms_client_keys{};

} // namespace hypermon
