// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the iPSC/2: nodes, network, host, operating system (docs/reference/facts.md has the sources in full).
#pragma once
#include "base/field.hpp"
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

constexpr auto fields_of(const NodeParams*) {
  return fields(Field{"tick_ms", &NodeParams::tick_ms, range(0.1, 1e6),
                      "Period of a node's scheduler tick. Every tick, on a busy or an idle node, is an event.",
                      "Dunigan's clock study: 50 ms"},
                Field{"clock_drift_ppm", &NodeParams::clock_drift_ppm, range(0, 1000), "ppm",
                      "Spread of the nodes' crystal frequencies: each drifts by a random value of at most half of it "
                      "in either direction. CPU, port and tick follow the crystal.",
                      "Dunigan's clock study: 25 ppm"},
                Field{"clock_offset_us", &NodeParams::clock_offset_us, range(0, 1e9),
                      "Largest initial offset of a node's clock from true time, in either direction. Each node draws "
                      "its own offset.",
                      "assumed: the effective precision of Dunigan's clock study"},
                Field{"clock_resolution_ns", &NodeParams::clock_resolution_ns, range(1, 1e9),
                      "Resolution of a node's clock.", "HYPERMON sec. 2: one microsecond"},
                Field{"start_spread_us", &NodeParams::start_spread_us, range(0, 1e9),
                      "Largest delay after time 0 with which a node starts the program. Each node draws its own delay.",
                      "assumed"});
}
static_assert(all_members_described<NodeParams>());

constexpr auto fields_of(const NetworkParams*) {
  return fields(
      Field{"name", &NetworkParams::name, any_value(), "",
            "Name by which monitors and servers refer to the network of the program's messages.", "chosen"},
      Field{"short_limit_bytes", &NetworkParams::short_limit_bytes, range(0, 65535),
            "Largest message that is sent at once to a system buffer. Longer messages wait for the receive (request, "
            "grant, data).",
            "facts: 100 B"},
      Field{"short_base_us", &NetworkParams::short_base_us, range(20, 1e6), "Start-up time of a short message.",
            "facts: 350"},
      Field{"short_us_per_byte", &NetworkParams::short_us_per_byte, range(0, 1000), "us/B",
            "Additional time of a short message for each byte.", "facts: 0.20 (recalled)"},
      Field{"short_hop_us", &NetworkParams::short_hop_us, range(0, 1e4),
            "Additional time of a short message for each hop.", "facts: about 10 (recalled)"},
      Field{"long_base_us", &NetworkParams::long_base_us, range(50, 1e6),
            "Start-up time of a long message, all three trips included.", "facts: 660 to 700"},
      Field{"long_hop_us", &NetworkParams::long_hop_us, range(0, 1e4),
            "Additional time of a long message for each hop, all three trips included.", "facts: about 30 (recalled)"},
      Field{"bandwidth_mb_per_s", &NetworkParams::bandwidth_mb_per_s, range(0.001, 1e5), "MB/s",
            "Bandwidth of a link in each direction. A long message takes the inverse for each byte.", "facts: 2.8"});
}
static_assert(all_members_described<NetworkParams>());

constexpr auto fields_of(const HostParams*) {
  return fields(
      Field{"bandwidth_kb_per_s", &HostParams::bandwidth_kb_per_s, range(1, 1e6), "KB/s",
            "Throughput of messages to and from the host.",
            "calibrated on Table 2 raw times of MatMul on 1 to 8 nodes: the result matrix C (512 KB) takes 0.733 s"});
}
static_assert(all_members_described<HostParams>());

} // namespace hypermon
