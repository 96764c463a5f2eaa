// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the networks beside the machine's own.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "base/several.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// A switched network. None by default.
struct LanParams {
  std::int64_t count = 0;
  std::string name = "ethernet";
  double bandwidth_mb_per_s = 12.5;
  Microseconds latency_us = 60;
  Microseconds switch_us = 10;
  std::int64_t fan_out = 0;
  double trunk_mb_per_s = 0;
  double backplane_mb_per_s = 0;
};
using LanSection = Several<LanParams>;

constexpr auto fields_of(const LanParams*) {
  using P = LanParams;
  return fields(
      Field{"count", &P::count, range(0, 8), "networks",
            "Number of networks beside the one that carries the program's messages. Each reaches every node, the host "
            "and the computers beside the machine (machine.beside).",
            "chosen"}
          .same_of_all(),
      Field{"name", &P::name, any_value(), "",
            "Name by which monitors and servers refer to the LAN. The second LAN is called ethernet1, and so on, "
            "unless it has its own name.",
            "chosen"},
      Field{"bandwidth_mb_per_s", &P::bandwidth_mb_per_s, range(0.001, 1e6), "MB/s",
            "Bandwidth of a computer's cable in each direction.", "IEEE 802.3u: 100 Mb/s"},
      Field{"latency_us", &P::latency_us, range(0, 1e6),
            "Latency of an empty message between two computers on the same switch.",
            "facts (hpvm): 60 to 100 us on Fast Ethernet (recalled)"},
      Field{"switch_us", &P::switch_us, range(0, 1e6), "Latency that each further switch on the way adds.", "assumed"},
      Field{"fan_out", &P::fan_out, range(0, 4096), "",
            "Number of computers at each lowest switch of a tree, and of switches below each higher switch. Computers "
            "are attached in the order nodes, host, computers beside the machine. 0: one switch for all.",
            "chosen"},
      Field{"trunk_mb_per_s", &P::trunk_mb_per_s, range(0, 1e6), "MB/s",
            "Bandwidth of a cable between two switches in each direction. 0: the sum over all computers below it.",
            "chosen"},
      Field{"backplane_mb_per_s", &P::backplane_mb_per_s, range(0, 1e6), "MB/s",
            "Total bandwidth of a switch. 0: unlimited.", "chosen"});
}
static_assert(all_members_described<LanParams>());

} // namespace hypermon
