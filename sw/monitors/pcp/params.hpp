// SPDX-License-Identifier: BSD-3-Clause
// Parameters of PCP: a client that fetches from host after host.
#pragma once
#include "base/choice.hpp"
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

} // namespace hypermon
