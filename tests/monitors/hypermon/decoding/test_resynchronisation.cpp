// SPDX-License-Identifier: BSD-3-Clause
// Nibbles are missing: what arrives whole is decoded, nothing wrong is.
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/decoding/stream.hpp"
#include <set>

using namespace hypermon;
using namespace hypermon::test;

namespace {
// One node's stream, the nibbles that are removed, and the decoder's results for the rest.
struct DamagedTrial {
  Emission emission;
  std::set<std::uint64_t> killed; // sequences
  Collector found;

  void run() {
    found = {};
    const StreamTiming timing(window.ps() / 1000, pitch_ns);
    FrameDecoder decoder(NodeId{0}, prototype, timing, found);
    capture(emission, window, decoder, [&](const Datum& n) { return !killed.contains(n.sequence); });
  }
  const EmittedEvent& event(std::size_t i) const { return emission.events[i]; }
  std::uint32_t length(std::size_t i) const { return info(event(i).event.type).hardware_nibbles(); }
  void kill(std::size_t i, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) killed.insert(event(i).first_sequence + first + k);
  }
  bool arrived(std::size_t i, std::uint32_t nibbles) const {
    const auto hit = killed.lower_bound(event(i).first_sequence);
    return hit == killed.end() || *hit >= event(i).first_sequence + nibbles;
  }
  bool intact(std::size_t i) const { return arrived(i, length(i)); }
  bool delivered(std::size_t i) const {
    return std::any_of(found.events.begin(), found.events.end(),
                       [&](const auto& d) { return same(event(i), d, window); });
  }
  std::size_t delivered_count() const {
    std::size_t n = 0;
    for (std::size_t i = 0; i < emission.events.size(); ++i) n += delivered(i) ? 1 : 0;
    return n;
  }
  // No invented event, no damaged one, and every nibble that arrived is in an event or reported.
  void check_honest() const {
    REQUIRE(found.events.size() == delivered_count());
    std::uint64_t in_events = 0;
    for (std::size_t i = 0; i < emission.events.size(); ++i) {
      if (!delivered(i)) continue;
      REQUIRE(intact(i));
      in_events += length(i);
    }
    REQUIRE(in_events + found.damaged_nibbles() + killed.size() == emission.data.size());
  }
};

DamagedTrial random_trial(Rng& rng, std::size_t events) { return {random_emission(rng, 1, events, pitch_ns), {}, {}}; }

// Exactly the events that lost a nibble are missing.
void check_only_touched_are_missing(DamagedTrial& t) {
  t.run();
  t.check_honest();
  for (std::size_t i = 0; i < t.emission.events.size(); ++i) {
    CAPTURE(i);
    REQUIRE(t.delivered(i) == t.intact(i));
  }
}
} // namespace

TEST_CASE("an event that begins in window 0 needs no other to confirm it") {
  Rng rng(10);
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    DamagedTrial t = random_trial(rng, 1);
    const Time first = t.emission.data.front().strobe;
    for (Datum& datum : t.emission.data) datum.strobe -= first;
    t.run();
    REQUIRE(t.found.events.size() == 1);
    REQUIRE(t.found.events.front().first_window == 0);
  }
}

TEST_CASE("one nibble missing, whichever it is, costs its own event and no other") {
  Rng rng(11);
  for (int round = 0; round < 20; ++round) {
    DamagedTrial t = random_trial(rng, 12);
    for (std::size_t i = 0; i + 2 < 12; ++i)
      for (std::uint32_t nibble = 0; nibble < t.length(i); ++nibble) {
        CAPTURE(round, i, nibble);
        t.killed.clear();
        t.kill(i, nibble, 1);
        check_only_touched_are_missing(t);
        REQUIRE(t.delivered_count() == 11);
      }
  }
}

TEST_CASE("a missing run of nibbles, also across events and over whole ones, costs only the events that it touches") {
  Rng rng(12);
  for (int round = 0; round < 4000; ++round) {
    CAPTURE(round);
    DamagedTrial t = random_trial(rng, 26); // 96 nibbles reach at most 13 events beyond the first
    t.kill(below(rng, 11), static_cast<std::uint32_t>(below(rng, 8)), static_cast<std::uint32_t>(1 + below(rng, 96)));
    // Two whole events must follow: the last one can only be confirmed by another.
    REQUIRE((t.intact(24) && t.intact(25)));
    check_only_touched_are_missing(t);
  }
}

TEST_CASE("an event that follows another at once is known to begin there: a hole in its type or delta costs no other") {
  Rng rng(20);
  DamagedTrial t;
  NodeModel node{NodeId{0}, pitch_ns, 0, 1_ms};
  t.emission.emit(node, random_event(rng, EventType::send_start), {});
  t.emission.emit(node, random_event(rng, EventType::switch_out), {});
  t.emission.emit(node, random_event(rng, EventType::switch_in), 3_ms); // the last event: no later one can confirm it
  for (std::uint32_t nibble = 1; nibble < header; ++nibble) {
    CAPTURE(nibble);
    t.killed.clear();
    t.kill(1, nibble, 1);
    check_only_touched_are_missing(t);
  }
}

TEST_CASE("the first event after a loss is delivered with the type and delta of the next one, not later") {
  Rng rng(22);
  DamagedTrial t;
  NodeModel node{NodeId{0}, pitch_ns, 0, 1_ms};
  // Only two nibbles of the first event arrive; they announce an event that would reach far into the third.
  for (const auto type : {EventType::process_start, EventType::send_start, EventType::dma_done})
    t.emission.emit(node, random_event(rng, type), 1_ms);
  t.kill(0, 2, t.length(0) - 2);
  const StreamTiming timing(window.ps() / 1000, pitch_ns);
  NodeDecoder decoder(NodeId{0}, timing, t.found);
  for (const Datum& n : t.emission.data) {
    if (t.killed.contains(n.sequence)) continue;
    decoder.push(static_cast<std::uint64_t>(n.strobe / window), n.value);
    CAPTURE(n.sequence);
    CHECK(t.delivered(1) == (n.sequence + 1 >= t.event(2).first_sequence + header));
    if (n.sequence + 1 == t.event(2).first_sequence + header) break;
  }
  CHECK(t.delivered(1));
}

TEST_CASE("events in one unbroken burst survive the loss of a neighbour's first or last nibble") {
  Rng rng(13);
  DamagedTrial t;
  NodeModel node{NodeId{0}, pitch_ns, 25, 1_ms};
  for (int i = 0; i < 10; ++i) t.emission.emit(node, random_event(rng, EventType::syscall_entry), {});
  for (const std::uint32_t nibble : {0U, 15U}) {
    t.killed.clear();
    t.kill(4, nibble, 1);
    check_only_touched_are_missing(t);
  }
  t.killed.clear();
  t.kill(4, 15, 2); // the last of event 4 and the first of event 5
  check_only_touched_are_missing(t);
}

TEST_CASE("a hole inside an event does not make the next one wait: it is delivered without confirmation") {
  Rng rng(14);
  DamagedTrial t;
  NodeModel node{NodeId{0}, pitch_ns, 0, 1_ms};
  for (int i = 0; i < 3; ++i) t.emission.emit(node, random_event(rng, EventType::send_start), 3_ms);
  t.kill(1, 9, 3);
  check_only_touched_are_missing(t);
  CHECK(t.delivered(2)); // the last of the stream: nothing follows that could confirm it
}

TEST_CASE("random losses: an event is delivered if it is whole and the next one's type and delta arrived") {
  Rng rng(15);
  std::size_t whole = 0;
  std::size_t given_up = 0;
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    DamagedTrial t = random_trial(rng, 60);
    const std::uint64_t one_in = 4 + below(rng, 200);
    for (const auto& n : t.emission.data) {
      if (below(rng, one_in) != 0) continue;
      const std::uint64_t run = below(rng, 4) == 0 ? 1 + below(rng, 40) : 1;
      for (std::uint64_t k = 0; k < run && n.sequence + k < t.emission.data.size(); ++k)
        t.killed.insert(n.sequence + k);
    }
    t.run();
    t.check_honest();
    for (std::size_t i = 0; i < t.emission.events.size(); ++i) {
      if (!t.intact(i)) continue;
      ++whole;
      given_up += t.delivered(i) ? 0 : 1;
      const bool last = i + 1 == t.emission.events.size();
      CAPTURE(i);
      if (!last && t.arrived(i + 1, header)) REQUIRE(t.delivered(i));
      // ... or if the one before it was delivered: the delta confirms it.
      if (i != 0 && t.delivered(i - 1)) REQUIRE(t.delivered(i));
    }
  }
  CAPTURE(whole, given_up);
  CHECK(given_up != 0); // losses so dense that the limit of the guarantee is seen
  CHECK(given_up < whole / 10);
}

TEST_CASE("a stream that begins in the middle of an event is picked up at the next one") {
  Rng rng(16);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    DamagedTrial t = random_trial(rng, 6);
    t.kill(0, 0, static_cast<std::uint32_t>(1 + below(rng, t.length(0) - 1)));
    check_only_touched_are_missing(t);
  }
}

TEST_CASE("half of all nibbles missing at random: hardly an event is whole, and nothing wrong is delivered") {
  Rng rng(17);
  for (int round = 0; round < 100; ++round) {
    DamagedTrial t = random_trial(rng, 100);
    for (const auto& n : t.emission.data)
      if (below(rng, 2) == 0) t.killed.insert(n.sequence);
    t.run();
    t.check_honest();
  }
}

TEST_CASE("a hole of one nibble is seen at every phase of the strobes in their windows") {
  for (std::int64_t phase_ns = 0; phase_ns < 800; phase_ns += 10) {
    CAPTURE(phase_ns);
    Rng rng(18);
    DamagedTrial t;
    NodeModel node{NodeId{0}, pitch_ns, 100, 1_ms + Time::from_ns(phase_ns)};
    for (int i = 0; i < 4; ++i) t.emission.emit(node, random_event(rng, EventType::tick), {});
    t.kill(1, 11, 1);
    check_only_touched_are_missing(t);
  }
}

TEST_CASE("a falsified type code is noticed, and the event after it is found again") {
  Rng rng(19);
  DamagedTrial t;
  NodeModel node{NodeId{0}, pitch_ns, 0, 1_ms};
  for (int i = 0; i < 5; ++i) t.emission.emit(node, random_event(rng, EventType::dma_done), 2_ms);
  t.emission.data[t.event(2).first_sequence].value ^= 0x1;
  t.run();
  CHECK(t.found.events.size() == 4);
  CHECK_FALSE(t.delivered(2));
  CHECK(t.found.damaged_nibbles() == t.length(2));
}
