// SPDX-License-Identifier: BSD-3-Clause
// Result keys of PCP.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct PcpKeys {
  struct Client {
    ResultKey<std::string> network{"monitor.client.network", "",
                                   "Name of the network over which the PCP client fetches counters."};
    ResultKey<bool> is_compute_node{"monitor.client.is_compute_node", "",
                                    "True if the PCP client runs on a node of the program."};
    ResultKey<double> cpu_s{"monitor.client.cpu_s", "s", "CPU time that the PCP client spent on results."};
    ResultKey<std::optional<double>> open_s{
        "monitor.client.open_s", "s",
        "Time at which the PCP client had opened all hosts (pcp.open = at_start); null if it never had."};
  } client;
  ResultKey<int> hosts{"monitor.hosts", "", "Number of hosts that the PCP client queries."};
  ResultKey<int> fetches{"monitor.fetches", "fetches", "Number of fetches from all hosts that the PCP client made."};
  ResultKey<int> missed_fetches{"monitor.missed_fetches", "fetches",
                                "Number of fetches that the PCP client skipped because the previous fetch was still "
                                "under way at their scheduled time."};
  ResultKey<int> unanswered{"monitor.unanswered", "requests",
                            "Number of PCP requests without an answer because their connection was reset."};
  ResultKey<std::optional<double>> first_fetch_s{"monitor.first_fetch_s", "s",
                                                 "Duration of the PCP client's first fetch; null if there was none."};
  ResultKey<std::optional<double>> mean_fetch_s{"monitor.mean_fetch_s", "s",
                                                "Mean duration of the PCP client's fetches; null if there were none."};
  ResultKey<std::optional<double>> longest_fetch_s{
      "monitor.longest_fetch_s", "s", "Duration of the PCP client's longest fetch; null if there was none."};
  ResultKey<double> daemons_cpu_s{"monitor.daemons_cpu_s", "s",
                                  "CPU time that the PCP daemons of all hosts spent on requests."};
};
inline constexpr PcpKeys pcp_keys{};

} // namespace hypermon
