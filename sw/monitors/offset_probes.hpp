// SPDX-License-Identifier: BSD-3-Clause
// How far another computer's clock is from one's own, found by messages there and back: of several the one with the
// shortest round trip counts, and half of it is taken for the way back (NTP, and what tracers do at begin and end).
#pragma once
#include "hw/machine/site.hpp"

#include <optional>

namespace hypermon {

/// What a probe is, for who asks and who answers alike.
struct OffsetProbe {
  NetworkId network{};
  std::int64_t bytes = 0;
  std::uint32_t server_port = 0;
  std::uint32_t client_port = 0;
  Time work{}; ///< CPU time of each end for each message
};

struct ClockOffset {
  Time offset; ///< the other clock less one's own
  Time round_trip;
  Time at; ///< in the middle of it, by one's own clock
};

/// Answers probes with what `clock` shows, for ever.
void answer_probes(Daemon& self, const OffsetProbe& probe, const NodeClock& clock);

/// The best of `count` probes, by `clock`; none if none came back within a second (chosen).
std::optional<ClockOffset> probe_offset(Daemon& self, const OffsetProbe& probe, const NodeClock& clock,
                                        const Place& other, std::int64_t count);

} // namespace hypermon
