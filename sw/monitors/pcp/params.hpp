// SPDX-License-Identifier: BSD-3-Clause
// Parameters of PCP: a client that fetches from one host after the other.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// When the client connects to a host's daemon.
enum class PcpOpen : std::uint8_t { at_start, when_fetched };
constexpr auto words_of(PcpOpen) { return words("at_start", "when_fetched"); }

/// The fetches: hosts, counters, times and costs.
struct PcpParams {
  std::string counters = "cpu.busy cpu.kernel";
  Bytes block_bytes = 0;
  std::string hosts = "all";
  std::int64_t fetches = 0;
  Seconds interval_s = 60;
  PcpOpen open = PcpOpen::at_start;
  std::string client_node;
  std::string network;
  Microseconds fetch_us = 148.2;
  Microseconds open_host_us = 117.1;
  std::int64_t open_threshold = 0;
  Microseconds beyond_us = 0;
  Microseconds daemon_us = 100;
  Microseconds value_us = 1;
  Bytes hello_bytes = 20;
  Bytes request_bytes = 28;
  Bytes request_metric_bytes = 4;
  Bytes result_bytes = 32;
  Bytes metric_bytes = 12;
  Bytes value_bytes = 20;
};

constexpr auto fields_of(const PcpParams*) {
  using P = PcpParams;
  return fields(
      Field{"counters", &P::counters, any_value(), "",
            "Metrics that the PCP client fetches (see `hypermon counters`), separated by blanks, each with all its "
            "instances. It may be empty if pcp.block_bytes is above 0.",
            "chosen"},
      Field{"block_bytes", &P::block_bytes, range(0, 1e9),
            "Size of a block of further values in each host's result, whose content is not simulated. A table of "
            "processes has 11264.",
            "SCMS Table 2: 11 KB a node"},
      Field{"hosts", &P::hosts, any_value(), "",
            "Nodes from which the PCP client fetches, in this order: all, or numbers and ranges like 0,4-7.", "chosen"},
      Field{"fetches", &P::fetches, range(0, 1e9), "",
            "Number of fetches of all hosts, after which the PCP client ends. 0: it ends with the program.", "chosen"},
      Field{"interval_s", &P::interval_s, range(0, 1e6),
            "Time from the beginning of one fetch of all hosts to that of the next. 0: fetches follow each other "
            "without a break.",
            "facts (modern): pmlogger's 60 s"},
      Field{"open", &P::open,
            "Time at which the PCP client connects to a host. at_start: to all hosts before the first fetch. "
            "when_fetched: when the host is first queried.",
            "chosen"},
      Field{"client_node", &P::client_node, any_value(), "",
            "Computer that runs the PCP client: beside (the first one beside the machine) or a compute node's number. "
            "Empty: beside, if the network reaches such a computer; otherwise node 0.",
            "chosen: the front end"},
      Field{"network", &P::network, any_value(), "",
            "Name of the network over which the PCP client fetches counters. Empty: the first one beside the "
            "program's, if there is any; otherwise the program's.",
            "chosen"},
      Field{"fetch_us", &P::fetch_us, range(0, 1e6), "CPU time of the PCP client for each host's result.",
            "SCMS Table 2: calibrated by 17.20 and 49.39 ms (scenario pcp/table2)"},
      Field{"open_host_us", &P::open_host_us, range(0, 1e6),
            "CPU time of the PCP client, at each host's result, for every other host that is open.",
            "SCMS Table 2: calibrated in the same way; that the cost grows linearly is an assumption"},
      Field{"open_threshold", &P::open_threshold, range(0, 1e6), "",
            "Number of hosts whose results cost only pcp.fetch_us. Each further result costs pcp.beyond_us more.",
            "chosen"},
      Field{"beyond_us", &P::beyond_us, range(0, 1e6),
            "Additional CPU time of the PCP client for the result of a host beyond pcp.open_threshold.",
            "assumed: the other reading of SCMS Table 2, preset pcp/threshold"},
      Field{"daemon_us", &P::daemon_us, range(0, 1e6), "CPU time of one PCP request on its host.", "chosen"},
      Field{"value_us", &P::value_us, range(0, 1e6),
            "CPU time of a host's PCP daemon for each counter value in a result.",
            "facts (modern): 0.7 to 1.0 us a metric, LDMS's"},
      Field{"hello_bytes", &P::hello_bytes, range(1, 65536), "Size of the messages that open a PCP connection.",
            "recalled: PCP's credentials"},
      Field{"request_bytes", &P::request_bytes, range(1, 65536),
            "Size of a PCP request without metrics, its header of 12 bytes included.", "recalled: pmFetch's PDU"},
      Field{"request_metric_bytes", &P::request_metric_bytes, range(0, 65536), "Size of each metric in a PCP request.",
            "recalled: pmFetch's PDU"},
      Field{"result_bytes", &P::result_bytes, range(1, 65536), "Size of a PCP result without metrics.",
            "facts (modern)"},
      Field{"metric_bytes", &P::metric_bytes, range(0, 65536),
            "Size of each metric in a PCP result, without its values.", "facts (modern): 8 + 4"},
      Field{"value_bytes", &P::value_bytes, range(0, 65536), "Size of each value of a metric in a PCP result.",
            "facts (modern): 32 for a metric of 64 bits"});
}
static_assert(all_members_described<PcpParams>());

} // namespace hypermon
