// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the iPSC/2: nodes, network, host, operating system (shared/facts.md carries the sources in full).
#pragma once
#include "base/quantity.hpp"

#include <string>

namespace hypermon {

/// A compute node's crystal and scheduler.
struct NodeParams {
  Milliseconds tick_ms = 50;
  double clock_drift_ppm = 25;
  Microseconds clock_offset_us = 15;
  WholeNanoseconds clock_resolution_ns = 1000;
  Microseconds start_spread_us = 1000;
};

/// User-to-user message times: base + bytes * slope + (hops - 1) * extra hop.
struct NetworkParams {
  std::string name = "program";
  Bytes short_limit_bytes = 100;
  Microseconds short_base_us = 350;
  double short_us_per_byte = 0.20;
  Microseconds short_hop_us = 10;
  Microseconds long_base_us = 680;
  Microseconds long_hop_us = 30;
  double bandwidth_mb_per_s = 2.8;
};

/// The UNIX host (SRM) on a channel of node 0.
struct HostParams {
  double bandwidth_kb_per_s = 715;
};

} // namespace hypermon
