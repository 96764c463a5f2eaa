#include "sw/monitors/hdtrace/clock_probes.hpp"

namespace hypermon::hdtrace {
namespace {

constexpr std::uint32_t server_port = 123; // NTP's
constexpr std::uint32_t client_port = 124;
constexpr std::int64_t probe_bytes = 48; // NTP's packet
constexpr Time patience = 1000_ms;       // (chosen)
constexpr Time look = 10_ms;             // (chosen) for the program's end

Place place(std::size_t node) { return Place::of(NodeId{static_cast<std::uint32_t>(node)}); }

} // namespace

ClockProbes::ClockProbes(Recording& recording, Site& site, NetworkId network, std::function<Time()> program_end)
    : recording_(recording), site_(site), network_(network), program_end_(std::move(program_end)),
      before_(recording.nodes()), after_(recording.nodes()) {}

void ClockProbes::start() {
  for (std::size_t n = 1; n < recording_.nodes(); ++n)
    site_.daemon(
        place(n), "ntp", [this, n](Daemon& self) { serve(self, n); }, "hdtrace.offsets");
  site_.daemon(
      place(0), "ntp",
      [this](Daemon& self) {
        probe(self, before_);
        if (recording_.params().offsets != HdtraceOffsets::ends) return;
        while (program_end_() == Time::never()) self.sleep_until(self.now() + look);
        probe(self, after_);
      },
      "hdtrace.offsets");
  if (recording_.params().offsets == HdtraceOffsets::ends)
    site_.linger(look + 50_ms * static_cast<std::int64_t>(recording_.nodes()) * recording_.params().probes);
}

void ClockProbes::serve(Daemon& self, std::size_t node) {
  const NodeClock& clock = site_.clock(NodeId{static_cast<std::uint32_t>(node)});
  while (const auto query = self.receive(server_port))
    self.send(network_, {query->from.place, client_port}, probe_bytes, std::any(clock.read(self.now())));
}

void ClockProbes::probe(Daemon& self, std::vector<std::optional<Found>>& found) {
  const NodeClock& clock = site_.clock(NodeId{0});
  for (std::size_t n = 1; n < recording_.nodes(); ++n)
    for (std::int64_t i = 0; i < recording_.params().probes; ++i) {
      self.receive(client_port, self.now()); // what came too late for the one before
      const Time sent = clock.read(self.now());
      self.send(network_, {place(n), server_port}, probe_bytes);
      const auto answer = self.receive(client_port, self.now() + patience);
      if (!answer) continue;
      const Time received = clock.read(self.now());
      const Time offset = std::any_cast<Time>(answer->content) - Time::from_ps((sent.ps() + received.ps()) / 2);
      if (!found[n] || received - sent < found[n]->round_trip) found[n] = Found{offset, received - sent};
    }
}

void ClockProbes::close() {
  for (std::size_t n = 1; n < recording_.nodes(); ++n) {
    Time shift;
    if (before_[n]) shift = Time{} - before_[n]->offset;
    if (before_[n] && after_[n]) shift = Time{} - Time::from_ps((before_[n]->offset.ps() + after_[n]->offset.ps()) / 2);
    recording_.books().shift(NodeId{static_cast<std::uint32_t>(n)}, Time::from_ns(shift.ps() / 1000));
  }
}

} // namespace hypermon::hdtrace
