// SPDX-License-Identifier: BSD-3-Clause
// What a message of one packet takes, stage by stage, on a network that has nothing else to do.
#pragma once
#include "hw/packets/core/piosim.hpp"
#include "hw/packets/core/rate.hpp"

namespace hypermon::piosim {

inline const Time step_time = Time::from_ns(1001);

inline Time one_way(const PiosimParams& params, std::int64_t bytes) {
  const PacketParams& p = params.packets;
  const auto stage = [&](double mib_per_s) { return time_of(bytes, Rate::of_mib_per_s(mib_per_s)); };
  return 2 * stage(p.interface_mib_per_s) + 2 * (stage(p.internal_mib_per_s) + whole_ns(p.internal_latency_us)) +
         2 * stage(p.memory_mib_per_s) + 2 * (stage(p.edge_mib_per_s) + whole_ns(p.edge_latency_us)) +
         stage(p.switch_mib_per_s);
}

} // namespace hypermon::piosim
