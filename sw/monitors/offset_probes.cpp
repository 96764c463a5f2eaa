// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/offset_probes.hpp"

namespace hypermon {
namespace {

constexpr Time patience = 1000_ms; // (chosen)

void send(Daemon& self, const OffsetProbe& probe, const Address& to, std::any content = {}) {
  if (probe.work > Time{}) self.compute(probe.work);
  self.send(probe.network, to, probe.bytes, std::move(content));
}

} // namespace

void answer_probes(Daemon& self, const OffsetProbe& probe, const NodeClock& clock) {
  while (const auto query = self.receive(probe.server_port)) {
    if (probe.work > Time{}) self.compute(probe.work);
    send(self, probe, {query->from.place, probe.client_port}, std::any(clock.read(self.now())));
  }
}

std::optional<ClockOffset> probe_offset(Daemon& self, const OffsetProbe& probe, const NodeClock& clock,
                                        const Place& other, std::int64_t count) {
  std::optional<ClockOffset> best;
  for (std::int64_t i = 0; i < count; ++i) {
    self.receive(probe.client_port, self.now()); // drops a late answer to the previous probe
    const Time sent = clock.read(self.now());
    send(self, probe, {other, probe.server_port});
    const auto answer = self.receive(probe.client_port, clock.after(self.now(), patience));
    if (!answer) continue;
    if (probe.work > Time{}) self.compute(probe.work);
    const Time received = clock.read(self.now());
    const Time middle = Time::from_ps((sent.ps() + received.ps()) / 2);
    if (!best || received - sent < best->round_trip)
      best = {std::any_cast<Time>(answer->content) - middle, received - sent, middle};
  }
  return best;
}

} // namespace hypermon
