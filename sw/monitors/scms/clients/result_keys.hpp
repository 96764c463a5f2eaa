// SPDX-License-Identifier: BSD-3-Clause
// Result keys of SCMS/RMS's clients.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct ScmsClientKeys {
  struct Clients {
    ResultList list{"monitor.clients[]"};
    ResultKey<std::string> kind{"monitor.clients[].kind", "",
                                "scms: of scms_client.kind, in their order; without those of no period."};
    ResultKey<int> clients{"monitor.clients[].clients", "", "scms: of that kind."};
    ResultKey<int> calls{"monitor.clients[].calls", "calls",
                         "scms: that were answered: a choice of a node, or a reading of all."};
    ResultKey<int> missed_calls{"monitor.clients[].missed_calls", "calls",
                                "scms: whose date passed while earlier ones were not answered."};
    ResultKey<int> requests{"monitor.clients[].requests", "", "scms: of these calls."};
    ResultKey<int> values{"monitor.clients[].values", "values", "scms: that came."};
    ResultKey<int> missing{"monitor.clients[].missing", "values",
                           "scms: that did not: their node is dead, not below the SMA, or nobody pushes them."};
    ResultKey<int> unprovided{"monitor.clients[].unprovided", "values", "scms: whose plug-in is not loaded there."};
    ResultKey<int> failed{"monitor.clients[].failed", "values", "scms: whose plug-in crashed."};
    ResultKey<std::optional<double>> first_s{"monitor.clients[].first_s", "s",
                                             "scms: what the first call took; null if there was none."};
    ResultKey<std::optional<double>> mean_s{"monitor.clients[].mean_s", "s",
                                            "scms: what one took on the average; null if there was none."};
    ResultKey<std::optional<double>> longest_s{"monitor.clients[].longest_s", "s",
                                               "scms: what the longest one took; null if there was none."};
    ResultKey<std::optional<Json>> latency_us{
        "monitor.clients[].latency_us", "us",
        "scms: time of the calls of a client: p50, p99, max and distribution; null if it made none."};
    ResultKey<std::optional<double>> mean_age_s{
        "monitor.clients[].mean_age_s", "s",
        "scms: of values when their call is answered, on the average; null if there was none."};
    ResultKey<std::optional<double>> oldest_s{"monitor.clients[].oldest_s", "s",
                                              "scms: of the oldest value; null if there was none."};
    ResultKey<std::optional<Json>> age_us{"monitor.clients[].age_us", "us",
                                          "scms: time from the reading of a value until its call is answered: p50, "
                                          "p99, max and distribution; null if no value arrived."};
    ResultKey<int> choices{"monitor.clients[].choices", "", "scms: nodes that a scheduler chose."};
    ResultKey<int> judged{"monitor.clients[].judged", "",
                          "scms: of these: what it chose by is one counter, so that the truth is known."};
    ResultKey<int> right{"monitor.clients[].right", "",
                         "scms: of these: no node that had answered had less, in truth, when it was chosen."};
    ResultKey<std::optional<double>> mean_better{
        "monitor.clients[].mean_better", "",
        "scms: how many nodes had less than the chosen one then, on the average; null if there was none."};
    ResultKey<std::optional<double>> mean_regret{
        "monitor.clients[].mean_regret", "",
        "scms: what the chosen one had more than the least then, on the average; null if there was none."};
    ResultKey<std::optional<int>> status{
        "monitor.clients[].status", "",
        "scms: what your own client returned; null if there was none, or it has not ended."};
    ResultKey<int> messages{"monitor.clients[].messages", "messages", "scms: that they sent."};
    ResultKey<int> bytes{"monitor.clients[].bytes", "B", "scms: that they sent."};
    ResultKey<double> cpu_s{"monitor.clients[].cpu_s", "s", "scms: CPU time of all of them, messages alone."};
  } clients;
};
inline constexpr ScmsClientKeys scms_client_keys{};

} // namespace hypermon
