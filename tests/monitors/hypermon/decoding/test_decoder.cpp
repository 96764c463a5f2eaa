// SPDX-License-Identifier: BSD-3-Clause
// Nothing missing: everything that is emitted is decoded.
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/decoding/stream.hpp"

using namespace hypermon;
using namespace hypermon::test;

namespace {
constexpr double pitch_delay_20_ns = 26140;
constexpr double pitch_delay_0_ns = 8850;

void all_come_back(const Emission& emission, Time window, double pitch_ns) {
  const StreamTiming timing(window.ps() / 1000, pitch_ns);
  Collector found;
  FrameDecoder decoder(NodeId{0}, prototype, timing, found);
  capture(emission, window, decoder, [](const Datum&) { return true; });
  CHECK(found.spans.empty());
  REQUIRE(found.events.size() == emission.events.size());
  std::stable_sort(found.events.begin(), found.events.end(),
                   [](const auto& a, const auto& b) { return a.node < b.node; });
  for (std::size_t i = 0; i < found.events.size(); ++i) REQUIRE(same(emission.events[i], found.events[i], window));
}
} // namespace

TEST_CASE("random bursts on eight drifting nodes are decoded completely, at every window and pitch of the prototype") {
  for (const std::int64_t window_ns : {800, 400, 200})
    for (const double pitch_ns : {pitch_delay_20_ns, pitch_delay_0_ns, 11060.0}) {
      CAPTURE(window_ns, pitch_ns);
      Rng rng(static_cast<std::uint64_t>(window_ns) + 7);
      all_come_back(random_emission(rng, 8, 400, pitch_ns), Time::from_ns(window_ns), pitch_ns);
    }
}

TEST_CASE("a pitch of whole windows is decoded from strobes on, just before and just after every window border") {
  const Time window = 800_ns;
  for (const double pitch_ns : {8800.0, 26400.0})
    for (const double drift_ppm : {-100.0, 0.0, 100.0})
      for (const std::int64_t phase_ps : {0, 1, 799'999}) {
        CAPTURE(pitch_ns, drift_ppm, phase_ps);
        Rng rng(3);
        Emission emission;
        NodeModel node{NodeId{5}, pitch_ns, drift_ppm, window * 1000 + Time::from_ps(phase_ps)};
        for (int i = 0; i < 200; ++i) emission.emit(node, random_event(rng), {});
        all_come_back(emission, window, pitch_ns);
      }
}

TEST_CASE("an event carries the windows of its first and last nibble, and its board's node number") {
  const Time window = 800_ns;
  const StreamTiming timing(800, pitch_delay_20_ns);
  Emission emission;
  NodeModel node{NodeId{3}, pitch_delay_20_ns, 0, 10_ms};
  emission.emit(node, {EventType::tick, {7, 8, 0}}, {});
  Collector found;
  FrameDecoder decoder(NodeId{16}, prototype, timing, found); // the second board of a larger machine
  capture(emission, window, decoder, [](const Datum&) { return true; });
  REQUIRE(found.events.size() == 1);
  const std::int64_t nibbles = info(EventType::tick).hardware_nibbles();
  CHECK(found.events[0].node == NodeId{16 + 3});
  CHECK(found.events[0].first_window == static_cast<std::uint64_t>((10_ms + node.pitch()) / window));
  CHECK(found.events[0].last_window == static_cast<std::uint64_t>((10_ms + node.pitch() * nibbles) / window));
}

TEST_CASE("timestamps that wrap after 2^32 windows go on counting, in the middle of an event too") {
  const Time window = 800_ns;
  const Time wrap = window * (std::int64_t{1} << 32);
  for (std::int64_t nibble = 0; nibble < 16; ++nibble) {
    Rng rng(4);
    Emission emission;
    NodeModel node{NodeId{0}, pitch_delay_20_ns, 0, 10_ms};
    // Ticks up to the wrap would be too many: one event an hour before it keeps the order.
    emission.emit(node, random_event(rng, EventType::send_start), {});
    const Time start = wrap - node.pitch() * nibble;
    emission.emit(node, random_event(rng, EventType::send_start), start - node.now);
    emission.emit(node, random_event(rng, EventType::send_start), 1_ms);
    all_come_back(emission, window, pitch_delay_20_ns);
  }
}

TEST_CASE("ticks 50 ms apart agree with their delta at 100 ppm of drift, and one microsecond too many does not") {
  const StreamTiming timing(800, pitch_delay_20_ns);
  const std::uint64_t windows = 50'000'000 / 800;
  // Tolerance: a window, a microsecond of the clock's reading, 1/8192 of the distance.
  const double tolerance_us = 0.8 + 1.0 + 50'000.0 / 8192;
  const auto limit = static_cast<std::uint16_t>(50'000 + std::floor(tolerance_us));
  CHECK(tolerance_us > 50'000 * 100e-6);
  CHECK(timing.delta_agrees(50'000, windows));
  CHECK(timing.delta_agrees(limit, windows));
  CHECK_FALSE(timing.delta_agrees(limit + 1, windows));
  CHECK_FALSE(timing.delta_agrees(static_cast<std::uint16_t>(50'000 - (limit - 50'000) - 1), windows));
}

TEST_CASE("a delta that wrapped agrees with the distance modulo 2^16 microseconds") {
  const StreamTiming timing(800, pitch_delay_20_ns);
  const std::uint64_t windows = 100'000'000 / 800; // 100 ms
  CHECK(timing.delta_agrees(100'000 - 65'536, windows));
  CHECK_FALSE(timing.delta_agrees(100'000 - 65'536 + 100, windows));
  CHECK(timing.delta_agrees(0xFFFF, 65'536'000 / 800)); // the clock read one microsecond less than 2^16
}

TEST_CASE("a clock finer than the deltas makes them no finer") {
  const StreamTiming timing(800, pitch_delay_20_ns, 1);
  const StreamTiming whole(800, pitch_delay_20_ns);
  // Windows 1 and 1046 begin 836 us apart; the clock may well give 837 us for data strobed in them.
  CHECK(timing.delta_agrees(837, 1045));
  for (std::uint16_t delta = 830; delta < 845; ++delta)
    CHECK(timing.delta_agrees(delta, 1045) == whole.delta_agrees(delta, 1045));
}
