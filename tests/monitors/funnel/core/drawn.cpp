// SPDX-License-Identifier: BSD-3-Clause
#include "tests/monitors/funnel/core/drawn.hpp"

#include "hw/funnel/core/trace_funnel.hpp"

#include <algorithm>

namespace hypermon::testing {
namespace {

TraceFunnelDesign draw_any_design(Random& random) {
  TraceFunnelDesign d;
  d.protocol.encoding = random.pick({TraceEncoding::packets, TraceEncoding::nexus});
  d.protocol.source_bits = random.between(0, 6);
  d.protocol.timestamp_ns = static_cast<double>(random.pick({1, 3, 10, 50}));
  d.protocol.timestamp_bits = random.pick({16, 20, 40, 48, 64});
  d.protocol.sync_counts = random.pick({SyncCounts::messages, SyncCounts::bytes});
  d.protocol.sync_every = random.pick({0, 1, 4, 30, 256});
  d.link.clock_ns = static_cast<double>(random.pick({1, 4, 7, 10})) + (random.one_in(4) ? 0.333 : 0);
  d.link.width_bits = 8 << random.below(5);
  d.link.inputs = random.between(2, 8);
  d.link.grant = random.pick({TraceGrant::words, TraceGrant::message});
  d.link.hold = random.between(1, 15);
  d.link.hold_counts = random.pick({HoldCounts::words, HoldCounts::cycles});
  d.link.fifo_words = random.pick({2, 2, 3, 9});
  d.link.partial = random.pick({PartialWords::at_once, PartialWords::at_flush});
  d.link.flush_us = random.one_in(3) ? 0.01 * static_cast<double>(random.between(1, 100)) : 0;
  d.formatter.format = random.one_in(3) ? TraceFormat::none : TraceFormat::frames;
  d.formatter.repeat_id_frames = random.between(1, 9);
  d.formatter.sync_frames = random.pick({0, 1, 3, 64});
  d.sink.buffer_bytes = random.pick({64, 80, 150, 400, 5000});
  d.sink.full = random.pick({WhenFull::drop_newest, WhenFull::drop_oldest, WhenFull::stall});
  d.sink.reads = random.one_in(4) ? SinkReads::at_end : SinkReads::streaming;
  d.sink.burst_bytes = random.pick({1, 4, 7, 16, 32, 64});
  d.sink.burst_ns = static_cast<double>(random.between(1, random.pick({4, 40, 400})));
  d.sink.latency_ns = random.one_in(2) ? 0 : static_cast<double>(random.between(1, 500));
  d.sink.bursts_in_flight = random.pick({1, 2, 32});
  if (random.one_in(3)) {
    d.sink.blackout_at_ms = 1e-6 * static_cast<double>(random.between(0, 3000));
    d.sink.blackout_for_ms = 1e-6 * static_cast<double>(random.between(1, 2000));
    if (random.one_in(2))
      d.sink.blackout_every_ms = d.sink.blackout_for_ms.number + 1e-6 * static_cast<double>(random.between(1, 2000));
  }
  if (random.one_in(4))
    d.sink.blackouts_ms =
        random.pick<const char*>({"0.0001+0.0005", "0+0.001 0.001+0.0007", " 0.0017+0.0001  0.003+0.001 "});
  const std::int64_t sources = random.pick({1, 2, 3, random.between(1, 12), random.between(1, 20)});
  for (std::int64_t i = 0; i < sources; ++i) {
    TraceSourceParams s;
    s.fifo_bytes = random.pick({24, 30, 64, 100, 300});
    s.full = random.pick({WhenFull::drop_newest, WhenFull::stall});
    s.resume_bytes = random.one_in(2) ? 0 : random.below(s.fifo_bytes.number);
    s.port_bytes = 1 << random.below(5);
    s.link_words = random.pick({2, 2, 3, 16});
    s.priority = random.one_in(2) ? 0 : random.below(8);
    d.sources.push_back(s);
  }
  return d;
}

/// Bursts and silence: a message after `pace` on average, or at once, or much later.
std::vector<TraceWrite> draw_writes(Random& random, const TraceFunnelDesign& design) {
  const TraceFunnel funnel(design);
  const std::int64_t pace = random.pick({1, 10, 40, 200});
  const std::int64_t messages = random.between(0, 120);
  std::vector<Time> now(design.sources.size());
  std::vector<TraceWrite> writes;
  for (std::int64_t i = 0; i < messages; ++i) {
    TraceWrite w;
    w.source = static_cast<std::uint32_t>(random.below(std::ssize(design.sources)));
    if (!random.one_in(3)) now[w.source] += Time::from_ps(random.below(2000 * pace));
    if (random.one_in(20)) now[w.source] += Time::from_ns(random.below(2000));
    if (random.one_in(10)) now[w.source] = funnel.clock() * (now[w.source] / funnel.clock() + 1); // at an edge
    w.time = now[w.source];
    const auto longest = static_cast<std::int64_t>(funnel.longest_payload(w.source));
    w.payload.resize(static_cast<std::size_t>(
        random.one_in(2) ? random.between(1, longest) : random.between(1, std::min<std::int64_t>(longest, 8))));
    const bool zeros = random.one_in(4);
    for (std::uint8_t& byte : w.payload) byte = static_cast<std::uint8_t>(zeros ? 0 : random.below(256));
    writes.push_back(w);
  }
  std::stable_sort(writes.begin(), writes.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  return writes;
}

} // namespace

DrawnTrace draw_trace(Random& random) {
  DrawnTrace drawn;
  do {
    drawn.design = draw_any_design(random);
    // otherwise one of many sources would almost always have a problem
    for (TraceSourceParams& s : drawn.design.sources)
      s.port_bytes = std::min<std::int64_t>(s.port_bytes.number, drawn.design.link.width_bits / 8);
  } while (problem_of(drawn.design));
  drawn.writes = draw_writes(random, drawn.design);
  const Time last = drawn.writes.empty() ? Time() : drawn.writes.back().time;
  if (random.one_in(2)) drawn.stop = last + Time::from_ps(random.between(1, random.pick({1000, 1000000, 5000000})));
  for (std::int64_t n = random.below(12); n > 0; --n)
    drawn.horizons.push_back(Time::from_ps(random.below(last.ps() + 2000000)));
  std::sort(drawn.horizons.begin(), drawn.horizons.end());
  return drawn;
}

} // namespace hypermon::testing
