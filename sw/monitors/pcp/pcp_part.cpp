// SPDX-License-Identifier: BSD-3-Clause
#include "base/parts.hpp"
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "hw/machine/computers.hpp"
#include "hw/machine/front_end.hpp"
#include "hw/machine/index_list.hpp"
#include "sw/monitors/pcp/params.hpp"
#include "sw/monitors/pcp/result_keys.hpp"

#include <optional>

namespace hypermon {
namespace {

/// Checks that need no machine.
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
  if (params.fetches == 1) return {}; // a single fetch needs no interval
  return SamplingInterval{"pcp.interval_s", params.interval_s};
}

} // namespace

Part pcp_part() {
  return {.kind = Part::Kind::monitor,
          .name = "pcp",
          .sections = {section<PcpParams>("pcp", "PCP: a client that fetches counters from one host after the other.")},
          .check = check_pcp,
          .results = keys_of(pcp_keys),
          .monitor = {.ledger_unit = "samples",
                      .losses = {{"network", "unfinished", "the run ended before the result with the sample arrived"},
                                 {"network", "reset", "the sample was lost with its connection"}},
                      .takes_samples = true,
                      .sampling_interval = pcp_interval,
                      .description = "a PCP client, which fetches counters from the hosts"}};
}

} // namespace hypermon
