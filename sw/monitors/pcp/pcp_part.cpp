// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/front_end.hpp"
#include "hw/machine/index_list.hpp"
#include "sw/monitors/pcp/params.hpp"

#include <optional>

namespace hypermon {
namespace {

/// All that can be known before there is a machine.
void check_pcp(const Spec& spec) {
  if (spec.monitor != "pcp") return;
  const auto& params = spec.get<PcpParams>();
  all_or_index_list("pcp.hosts", params.hosts, spec.nodes, "numbers of nodes");
  if (params.counters.find_first_not_of(" ,") == std::string::npos && params.block_bytes.number == 0)
    throw UserError("pcp.counters = \"" + params.counters +
                    "\": must name a counter, or pcp.block_bytes be more than 0");
  const NetworkId network = network_beside(spec, params.network, "pcp.network");
  const Places places(spec);
  places.check_reaches(network, place_beside(spec, network, params.client_node, "pcp.client_node"),
                       "pcp.client_node = \"" + params.client_node + "\"");
}

std::optional<SamplingInterval> pcp_interval(const Spec& spec) {
  const auto& params = spec.get<PcpParams>();
  if (params.fetches == 1) return {}; // no more are wanted
  return SamplingInterval{"pcp.interval_s", params.interval_s};
}

} // namespace

Part pcp_part() {
  return {
      .kind = Part::Kind::monitor,
      .name = "pcp",
      .sections = {section<PcpParams>("pcp", "PCP: a client that fetches counters from one host after the other.")},
      .check = check_pcp,
      .results = {{"monitor.client.network", "", "pcp: that it fetches over.", result::text},
                  {"monitor.client.is_compute_node", "", "pcp: does the client run on a node of the program?",
                   result::truth},
                  {"monitor.client.cpu_s", "s", "pcp: CPU time that it has spent on results."},
                  {"monitor.client.open_s", "s",
                   "pcp: until all hosts were open, pcp.open = at_start; null if they never were.", result::or_null()},
                  {"monitor.hosts", "", "pcp: that are asked."},
                  {"monitor.fetches", "fetches", "pcp: of all hosts that were made."},
                  {"monitor.missed_fetches", "fetches", "pcp: whose date passed while the one before was made."},
                  {"monitor.unanswered", "requests", "pcp: whose connection was reset."},
                  {"monitor.first_fetch_s", "s", "pcp: what the first fetch took; null if there was none.",
                   result::or_null()},
                  {"monitor.mean_fetch_s", "s", "pcp: what one took on the average; null if there was none.",
                   result::or_null()},
                  {"monitor.longest_fetch_s", "s", "pcp: what the longest one took; null if there was none.",
                   result::or_null()},
                  {"monitor.daemons_cpu_s", "s", "pcp: CPU time that all hosts have spent on requests."}},
      .monitor = {.ledger_unit = "samples",
                  .losses = {{"network", "unfinished", "the run ended before its result was there"},
                             {"network", "reset", "with the connection"}},
                  .takes_samples = true,
                  .sampling_interval = pcp_interval,
                  .description = "a PCP client, which fetches counters from the hosts"}};
}

} // namespace hypermon
