// SPDX-License-Identifier: BSD-3-Clause
// Measures the offset of another computer's clock with round-trip messages. The probe with the shortest round trip
// counts, and half of the round trip is taken as the way back. NTP and tracers, at their begin and end, do the same.
#pragma once
#include "hw/machine/site.hpp"

#include <optional>

namespace hypermon {

/// Parameters of a probe, the same for client and server.
struct OffsetProbe {
  NetworkId network{};
  std::int64_t bytes = 0;
  std::uint32_t server_port = 0;
  std::uint32_t client_port = 0;
  Time work{}; ///< CPU time at each end for each message
};

struct ClockOffset {
  Time offset; ///< the other clock minus the client's own
  Time round_trip;
  Time at; ///< middle of the round trip, by the client's own clock
};

/// Answers probes with the time of `clock`. Does not return.
void answer_probes(Daemon& self, const OffsetProbe& probe, const NodeClock& clock);

/// The best of `count` probes, measured with `clock`; none if no answer came within a second (chosen).
std::optional<ClockOffset> probe_offset(Daemon& self, const OffsetProbe& probe, const NodeClock& clock,
                                        const Place& other, std::int64_t count);

} // namespace hypermon
