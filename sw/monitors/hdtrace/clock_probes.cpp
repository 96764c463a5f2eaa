// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hdtrace/clock_probes.hpp"

namespace hypermon::hdtrace {
namespace {

constexpr std::uint32_t server_port = 123; // NTP's
constexpr std::uint32_t client_port = 124;
constexpr std::int64_t probe_bytes = 48; // NTP's packet
constexpr Time check_period = 10_ms;     // (chosen) checks whether the program has ended

NodeId id(std::size_t node) { return NodeId{static_cast<std::uint32_t>(node)}; }

} // namespace

ClockProbes::ClockProbes(Recording& recording, Site& site, NetworkId network, std::function<Time()> program_end)
    : recording_(recording), site_(site), probe_{network, probe_bytes, server_port, client_port},
      program_end_(std::move(program_end)), before_(recording.nodes()), after_(recording.nodes()) {}

void ClockProbes::start() {
  for (std::size_t n = 1; n < recording_.nodes(); ++n)
    site_.daemon(
        Place::node(id(n)), "ntp", [this, n](Daemon& self) { answer_probes(self, probe_, site_.clock(id(n))); },
        "hdtrace.offsets");
  site_.daemon(
      Place::node(id(0)), "ntp",
      [this](Daemon& self) {
        probe(self, before_);
        if (recording_.params().offsets != HdtraceOffsets::ends) return;
        while (program_end_() == Time::never())
          self.sleep_until(site_.clock(NodeId{0}).after(self.now(), check_period));
        probe(self, after_);
      },
      "hdtrace.offsets");
  if (recording_.params().offsets == HdtraceOffsets::ends)
    site_.linger(check_period + 50_ms * static_cast<std::int64_t>(recording_.nodes()) * recording_.params().probes);
}

void ClockProbes::probe(Daemon& self, std::vector<std::optional<ClockOffset>>& found) {
  for (std::size_t n = 1; n < recording_.nodes(); ++n)
    found[n] = probe_offset(self, probe_, site_.clock(NodeId{0}), Place::node(id(n)), recording_.params().probes);
}

void ClockProbes::close() {
  for (std::size_t n = 1; n < recording_.nodes(); ++n) {
    Time shift;
    if (before_[n]) shift = Time{} - before_[n]->offset;
    if (before_[n] && after_[n]) shift = Time{} - Time::from_ps((before_[n]->offset.ps() + after_[n]->offset.ps()) / 2);
    recording_.trace_ledger().shift(id(n), Time::from_ns(shift.ps() / 1000));
  }
}

} // namespace hypermon::hdtrace
