// SPDX-License-Identifier: BSD-3-Clause
// Events of any catalogue are found again after losses.
#include "tests/catch.hpp"
#include "tests/instrumentation/random_catalogues.hpp"
#include "tests/monitors/hypermon/decoding/stream.hpp"
#include <set>

using namespace hypermon;
using namespace hypermon::test;

namespace {
std::size_t most_codes_of_a_low_nibble(const Catalogue& catalogue) {
  std::array<std::size_t, 16> codes{};
  for (const EventRow& row : catalogue.rows()) ++codes[row.code & 0xFU];
  return *std::max_element(codes.begin(), codes.end());
}
} // namespace

// After a loss, a decoder tries each arrived nibble as the first of an event. A wrong one passes if its code is one of
// the catalogue's (for a given low nibble, at most c of 16 high ones are) and if 16 unrelated bits look like the
// expected delta, within W + 1 us in either direction. Therefore, of the nibbles that it could not assign (each was
// tried at most once, and a spurious event hides at most 32), less than this share begin a spurious event.
TEST_CASE("whatever the catalogue, losses cost the events that they touch, and what is found was emitted") {
  constexpr double pitch_ns = 26140;
  constexpr Time window = 800_ns;
  const StreamTiming timing(800, pitch_ns);
  Rng rng(5);
  double expected = 0;
  std::size_t spurious = 0;
  for (int c = 0; c < 30; ++c) {
    const Catalogue catalogue = read(random_rows(rng, 1 + below(rng, 100)));
    Emission emission;
    NodeModel node = random_node(rng, 0, pitch_ns);
    for (int i = 0; i < 150; ++i)
      emission.emit(node, random_event(rng, catalogue), random_idle(rng, node.pitch()), 0, MessageSide::none,
                    catalogue);
    for (const bool lossy : {false, true}) {
      std::set<std::uint64_t> lost;
      while (lossy && lost.size() < 60)
        for (std::uint64_t s = below(rng, emission.data.size()), n = 1 + below(rng, 6); n > 0; --n) lost.insert(s++);
      Collector found;
      FrameDecoder decoder(NodeId{0}, prototype, timing, found, false, {}, catalogue);
      capture(emission, window, decoder, [&](const Datum& d) { return !lost.contains(d.sequence); });
      std::size_t true_events = 0;
      for (const DecodedEvent& d : found.events)
        true_events += std::any_of(emission.events.begin(), emission.events.end(),
                                   [&](const EmittedEvent& e) { return same(e, d, window); })
                           ? 1
                           : 0;
      if (!lossy) {
        CHECK(true_events == emission.events.size());
        CHECK(found.events.size() == emission.events.size());
      }
      spurious += found.events.size() - true_events;
      const double tried =
          static_cast<double>(found.damaged_nibbles()) + 32.0 * static_cast<double>(found.events.size() - true_events);
      expected += tried * static_cast<double>(most_codes_of_a_low_nibble(catalogue)) / 16 * (2 * (0.8 + 1) + 1) / 65536;
    }
  }
  CAPTURE(expected, spurious);
  CHECK(static_cast<double>(spurious) <= expected + 4 * std::sqrt(expected) + 1);
}
