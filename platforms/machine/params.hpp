// Parameters of the iPSC/2: nodes, network, host, operating system (shared/facts.md carries the sources in full).
#pragma once
#include <cstdint>
#include <string>

namespace hypermon {

/// A compute node's crystal and scheduler.
struct NodeParams {
  double tick_ms = 50;
  double clock_drift_ppm = 25;
  double clock_offset_us = 15;
  std::int64_t clock_resolution_ns = 1000;
  double start_spread_us = 1000;
};

/// User-to-user message times: base + bytes * slope + (hops - 1) * extra hop.
struct NetworkParams {
  std::string name = "program";
  std::int64_t short_limit_bytes = 100;
  double short_base_us = 350;
  double short_us_per_byte = 0.20;
  double short_hop_us = 10;
  double long_base_us = 680;
  double long_hop_us = 30;
  double bandwidth_mb_per_s = 2.8;
};

/// The UNIX host (SRM) on a channel of node 0.
struct HostParams {
  double bandwidth_kb_per_s = 715;
};

} // namespace hypermon
