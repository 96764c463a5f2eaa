// SPDX-License-Identifier: BSD-3-Clause
// The core and the naive model of the contract on random designs and traffic.
//   HYPERMON_TEST_CASES  cases to compare, instead of those of a CI run
//   HYPERMON_TEST_SEED   the first one's seed
#include "hw/funnel/core/trace_decoder.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/funnel/core/outcome.hpp"
#include "tests/volume.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

/// The analyst's decoder must report exactly the delivered messages.
std::string wrongly_decoded(const DrawnTrace& drawn, const TraceOutcome& outcome) {
  std::map<std::uint32_t, std::vector<const TraceWrite*>> written;
  for (const TraceWrite& w : drawn.writes) written[w.source].push_back(&w);
  std::map<std::uint32_t, std::vector<TraceMessage>> told, delivered;
  TraceDecoder decoder(drawn.design);
  for (const TraceChunk& chunk : outcome.stream)
    decoder.read(chunk.bytes, chunk.gap, [&](const TraceMessage& m) {
      if (m.kind == TraceKind::data) told[m.source].push_back(m);
    });
  for (const DeliveredTrace& d : outcome.delivered)
    delivered[d.source].push_back({d.source, TraceKind::data, d.timestamp, written[d.source].at(d.sequence)->payload});
  for (std::uint32_t s = 0; s < drawn.design.sources.size(); ++s)
    if (told[s] != delivered[s])
      return "of source " + std::to_string(s) + " " + std::to_string(delivered[s].size()) +
             " messages are delivered, and the decoder tells " + std::to_string(told[s].size());
  return "";
}

} // namespace

TEST_CASE("the core equals the naive model on random designs, however its work is cut") {
  const std::uint64_t cases = cases_wanted(1500);
  const std::uint64_t first = from_environment("HYPERMON_TEST_SEED", 1);
  std::map<std::string, std::uint64_t> provoked;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random(seed);
    const DrawnTrace drawn = draw_trace(random);
    const TraceOutcome expected = naive_trace_funnel(drawn.design, drawn.writes, drawn.stop, drawn.horizons);
    std::string broken_promise;
    const TraceOutcome got = core_outcome(drawn, broken_promise);
    INFO("To repeat it: HYPERMON_TEST_SEED=" << seed << " HYPERMON_TEST_CASES=1");
    REQUIRE(difference(expected, got) == "");
    REQUIRE(broken_law(drawn.design, got) == "");
    REQUIRE(broken_promise == "");
    { // the run at once has neither snapshots nor a stream
      TraceOutcome at_once = core_outcome_at_once(drawn);
      at_once.stream = got.stream;
      at_once.snapshots.insert(at_once.snapshots.begin(), got.snapshots.begin(), std::prev(got.snapshots.end()));
      REQUIRE(difference(got, at_once) == "");
    }
    REQUIRE(wrongly_decoded(drawn, got) == "");

    const TraceFunnelCounts& c = got.snapshots.back().counts;
    for (std::size_t i = 0; i < trace_loss_causes; ++i)
      if (c.lost[i].messages > 0) ++provoked[std::string(trace_loss_names[i])];
    if (c.stalled > Time()) ++provoked["stall"];
    if (c.flushes > 0) ++provoked["flush"];
    if (c.padding_bytes > 0) ++provoked["padding"];
    if (drawn.design.sources.size() > static_cast<std::size_t>(drawn.design.link.inputs)) ++provoked["tree"];
    for (const TraceSourceCounts& s : got.snapshots.back().sources) {
      if (s.markers > 0) ++provoked["marker"];
      if (s.syncs > 2) ++provoked["periodic sync"];
    }
    for (const TraceChunk& chunk : got.stream)
      if (chunk.gap) ++provoked["gap"];
  }
  if (cases < 1000) return;
  for (const char* what : {"source_full", "sink_full", "overwritten", "stall", "flush", "padding", "tree", "marker",
                           "periodic sync", "gap", "no_sync"}) {
    INFO(what);
    CHECK(provoked[what] >= cases / 50);
  }
}
