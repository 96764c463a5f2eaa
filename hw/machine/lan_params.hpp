// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the networks beside the machine's own.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "base/several.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// A switched network; there are none by default.
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
            "Networks beside the one of the program's messages; each reaches every node, the host and the computers "
            "beside the machine (machine.beside).",
            "chosen"}
          .same_of_all(),
      Field{"name", &P::name, any_value(), "",
            "What monitors and servers call it; of several the second one is called ethernet1, and so on, unless it "
            "has a "
            "name of its own.",
            "chosen"},
      Field{"bandwidth_mb_per_s", &P::bandwidth_mb_per_s, range(0.001, 1e6), "MB/s",
            "Each direction of a computer's cable.", "IEEE 802.3u: 100 Mb/s"},
      Field{"latency_us", &P::latency_us, range(0, 1e6),
            "One way between two computers on one switch, of a message without bytes.",
            "facts (hpvm): 60 to 100 us on Fast Ethernet (recalled)"},
      Field{"switch_us", &P::switch_us, range(0, 1e6), "Each further switch on the way adds this.", "assumed"},
      Field{"fan_out", &P::fan_out, range(0, 4096), "",
            "Computers at a switch, and switches below one: a tree of as many levels as it takes; 0: one switch for "
            "all. Computers stand in the order of nodes, host, those beside the machine.",
            "chosen"},
      Field{"trunk_mb_per_s", &P::trunk_mb_per_s, range(0, 1e6), "MB/s",
            "Each direction of a cable between two switches; 0: what all computers below it have together.", "chosen"},
      Field{"backplane_mb_per_s", &P::backplane_mb_per_s, range(0, 1e6), "MB/s",
            "All that passes a switch; 0: never a bottleneck.", "chosen"});
}
static_assert(all_members_described<LanParams>());

} // namespace hypermon
