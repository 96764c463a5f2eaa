// SPDX-License-Identifier: BSD-3-Clause
// Parameters of PCP: a client that fetches from host after host.
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

/// What is fetched from whom, when, and what that costs.
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
            "Metrics that are fetched (hypermon counters), blanks between; each with all its instances. May be empty "
            "if there is a block.",
            "chosen"},
      Field{"block_bytes", &P::block_bytes, range(0, 1e9),
            "Of further values in each host's result, whose content is not simulated: 11264 of a table of processes.",
            "SCMS Table 2: 11 KB a node"},
      Field{"hosts", &P::hosts, any_value(), "",
            "Nodes that are asked, in this order: all, or numbers and ranges like 0,4-7.", "chosen"},
      Field{"fetches", &P::fetches, range(0, 1e9), "", "Of all hosts, then the client ends; 0: until the program does.",
            "chosen"},
      Field{"interval_s", &P::interval_s, range(0, 1e6),
            "From the begin of one fetch of all hosts to the next; 0: one right behind the other.",
            "facts (modern): pmlogger's 60 s"},
      Field{
          "open", &P::open,
          "When the client connects to a host. at_start: to all before the first fetch. when_fetched: when it is first "
          "asked.",
          "chosen"},
      Field{"client_node", &P::client_node, any_value(), "",
            "Where the client runs: beside, the first computer beside the machine, or a compute node's number; empty: "
            "beside if the network reaches one there, else node 0.",
            "chosen: the front end"},
      Field{"network", &P::network, any_value(), "",
            "That it asks over; empty: the first one beside the program's, or the program's if there is no other.",
            "chosen"},
      Field{"fetch_us", &P::fetch_us, range(0, 1e6), "The client's CPU time for each host's result.",
            "SCMS Table 2: calibrated by 17.20 and 49.39 ms (scenario pcp/table2)"},
      Field{"open_host_us", &P::open_host_us, range(0, 1e6),
            "The client's CPU time for each other host that is open, at every host's result.",
            "SCMS Table 2: calibrated alike; that the cost grows so is an assumption"},
      Field{"open_threshold", &P::open_threshold, range(0, 1e6), "",
            "So many hosts are served at fetch_us; the result of each one behind them takes beyond_us more.", "chosen"},
      Field{"beyond_us", &P::beyond_us, range(0, 1e6),
            "The client's CPU time for the result of a host beyond open_threshold, in addition.",
            "assumed: the other reading of SCMS Table 2, preset pcp/threshold"},
      Field{"daemon_us", &P::daemon_us, range(0, 1e6), "CPU time of a request on its host.", "chosen"},
      Field{"value_us", &P::value_us, range(0, 1e6), "CPU time of each value of a counter there.",
            "facts (modern): 0.7 to 1.0 us a metric, LDMS's"},
      Field{"hello_bytes", &P::hello_bytes, range(1, 65536), "Of the messages that open a connection.",
            "recalled: PCP's credentials"},
      Field{"request_bytes", &P::request_bytes, range(1, 65536), "Of a request without metrics, with its header of 12.",
            "recalled: pmFetch's PDU"},
      Field{"request_metric_bytes", &P::request_metric_bytes, range(0, 65536), "Of each metric in it.",
            "recalled: pmFetch's PDU"},
      Field{"result_bytes", &P::result_bytes, range(1, 65536), "Of a result without metrics.", "facts (modern)"},
      Field{"metric_bytes", &P::metric_bytes, range(0, 65536), "Of each metric in it.", "facts (modern): 8 + 4"},
      Field{"value_bytes", &P::value_bytes, range(0, 65536), "Of each of its values: 64 bits.",
            "facts (modern): 32 for a metric of 64 bits"});
}
static_assert(all_members_described<PcpParams>());

} // namespace hypermon
