// SPDX-License-Identifier: BSD-3-Clause
// Result keys of PCP.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct PcpKeys {
  struct Client {
    ResultKey<std::string> network{"monitor.client.network", "", "pcp: that it fetches over."};
    ResultKey<bool> is_compute_node{"monitor.client.is_compute_node", "",
                                    "pcp: does the client run on a node of the program?"};
    ResultKey<double> cpu_s{"monitor.client.cpu_s", "s", "pcp: CPU time that it has spent on results."};
    ResultKey<std::optional<double>> open_s{
        "monitor.client.open_s", "s", "pcp: until all hosts were open, pcp.open = at_start; null if they never were."};
  } client;
  ResultKey<int> hosts{"monitor.hosts", "", "pcp: that are asked."};
  ResultKey<int> fetches{"monitor.fetches", "fetches", "pcp: of all hosts that were made."};
  ResultKey<int> missed_fetches{"monitor.missed_fetches", "fetches",
                                "pcp: whose date passed while the one before was made."};
  ResultKey<int> unanswered{"monitor.unanswered", "requests", "pcp: whose connection was reset."};
  ResultKey<std::optional<double>> first_fetch_s{"monitor.first_fetch_s", "s",
                                                 "pcp: what the first fetch took; null if there was none."};
  ResultKey<std::optional<double>> mean_fetch_s{"monitor.mean_fetch_s", "s",
                                                "pcp: what one took on the average; null if there was none."};
  ResultKey<std::optional<double>> longest_fetch_s{"monitor.longest_fetch_s", "s",
                                                   "pcp: what the longest one took; null if there was none."};
  ResultKey<double> daemons_cpu_s{"monitor.daemons_cpu_s", "s", "pcp: CPU time that all hosts have spent on requests."};
};
inline constexpr PcpKeys pcp_keys{};

} // namespace hypermon
