// SPDX-License-Identifier: BSD-3-Clause
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/decoding/stream.hpp"
#include <set>

using namespace hypermon;
using namespace hypermon::test;

namespace {
DecodedEvent as_decoded(const EmittedEvent& e) {
  const auto w = static_cast<std::uint64_t>(e.first_strobe / window);
  return {{e.event, e.delta_us}, e.node, w, w};
}

Captured captured(const EmittedEvent& e, Time propagation = {}) {
  return {static_cast<std::uint64_t>((e.first_strobe + propagation) / window), {}};
}

const TraceLoss& loss(const TraceChecker& c, CauseId id) { return c.losses()[static_cast<std::size_t>(id)]; }

Emission three_events() {
  Rng rng(21);
  Emission emission;
  NodeModel node{NodeId{0}, pitch_ns, 0, 1_ms};
  for (int i = 0; i < 3; ++i) emission.emit(node, random_event(rng, EventType::send_start), 1_ms);
  return emission;
}
} // namespace

TEST_CASE("an event that is decoded unchanged counts as delivered, with its latency and its timestamp error") {
  TraceChecker checker(1, window);
  const auto emission = three_events();
  const EmittedEvent& e = emission.events[0];
  checker.emitted(e, captured(e));
  CHECK(checker.in_flight_events() == 1);
  checker.read_until(e.start + 2_ms);
  checker.event(as_decoded(e));
  CHECK(checker.delivered_events() == 1);
  CHECK(checker.in_flight_events() == 0);
  CHECK(checker.latency().max() == 2_ms);
  const Time stamp = window * (e.first_strobe / window);
  CHECK(checker.timestamp_error().min == stamp - e.first_strobe);
  CHECK(checker.timestamp_error().mean_us() == (stamp - e.first_strobe).microseconds());
  CHECK(checker.balanced());
}

TEST_CASE("the board's propagation delay shifts the window, and counts as timestamp error") {
  const Time propagation = 5_us;
  TraceChecker checker(1, window);
  const auto emission = three_events();
  const EmittedEvent& e = emission.events[0];
  checker.emitted(e, captured(e, propagation));
  auto decoded = as_decoded(e);
  decoded.first_window = static_cast<std::uint64_t>((e.first_strobe + propagation) / window);
  checker.read_until(e.start + 2_ms);
  checker.event(decoded);
  CHECK(checker.delivered_events() == 1);
  CHECK(checker.timestamp_error().max == window * static_cast<std::int64_t>(decoded.first_window) - e.first_strobe);
}

TEST_CASE("a lost event has the cause of its first missing nibble, in any order of the reports") {
  for (const bool front_first : {true, false}) {
    TraceChecker checker(1, window);
    const CauseId overrun = checker.add_cause("node FIFO", "overrun");
    const CauseId frame = checker.add_cause("frame FIFO", "overrun");
    const auto emission = three_events();
    for (const auto& e : emission.events) checker.emitted(e, captured(e));
    const std::uint64_t second = emission.events[1].first_sequence;
    if (front_first) checker.lost(NodeId{0}, second + 3, frame);
    checker.lost(NodeId{0}, second + 7, overrun);
    if (!front_first) checker.lost(NodeId{0}, second + 3, frame);
    checker.read_until(1_ms * 100);
    checker.event(as_decoded(emission.events[0]));
    checker.event(as_decoded(emission.events[2]));
    CHECK(checker.delivered_events() == 2);
    CHECK(loss(checker, frame).events == 1);
    CHECK(loss(checker, overrun).events == 0);
    CHECK(loss(checker, frame).nibbles == 1);
    CHECK(loss(checker, overrun).nibbles == 1);
    CHECK(checker.balanced());
  }
}

TEST_CASE("a whole event that the decoder passes over is lost in the decoder") {
  TraceChecker checker(1, window);
  const auto emission = three_events();
  for (const auto& e : emission.events) checker.emitted(e, captured(e));
  checker.read_until(100_ms);
  checker.event(as_decoded(emission.events[1]));
  CHECK(checker.losses()[0].stage == "decoder");
  CHECK(checker.losses()[0].events == 1);
  CHECK(checker.in_flight_events() == 1);
  checker.finish();
  CHECK(checker.losses()[0].events == 2);
  CHECK(checker.losses()[0].nibbles == 0);
  CHECK(checker.in_flight_events() == 0);
  CHECK(checker.balanced());
}

namespace {
/// The fate of each event, in words.
struct Fates : FateSink {
  std::vector<std::string> lines;
  void delivered(const Emitted& e, Time stamp, Time read_end) override {
    CHECK(stamp == window * (e.first / window));
    CHECK(read_end == 100_ms);
    lines.push_back("delivered " + std::to_string(e.first.ps()));
  }
  void lost(const Emitted& e, std::size_t place) override {
    lines.push_back("lost " + std::to_string(e.first.ps()) + " " + std::to_string(place));
  }
  void spurious(NodeId, EventType, Time stamp, Time) override {
    lines.push_back("spurious " + std::to_string(stamp / window));
  }
};
} // namespace

TEST_CASE(
    "whoever asks is told of every event, in the order of emission, that it was delivered, or where it was lost") {
  TraceChecker checker(1, window);
  Fates fates;
  checker.set_fates(&fates);
  const CauseId frame = checker.add_cause("frame FIFO", "overrun");
  const auto emission = three_events();
  for (const auto& e : emission.events) checker.emitted(e, captured(e));
  checker.lost(NodeId{0}, emission.events[1].first_sequence, frame);
  checker.read_until(100_ms);
  auto other = as_decoded(emission.events[1]);
  other.event.args[0] = 4711;
  checker.event(as_decoded(emission.events[0]));
  checker.event(other);
  checker.finish();
  const auto first = [&](std::size_t i) { return std::to_string(emission.events[i].first_strobe.ps()); };
  CHECK(fates.lines == std::vector<std::string>{"delivered " + first(0),
                                                "spurious " + std::to_string(other.first_window),
                                                "lost " + first(1) + " 1", "lost " + first(2) + " 0"});
}

TEST_CASE("a decoded event with another window, argument, delta or with lost nibbles is spurious") {
  const auto emission = three_events();
  const EmittedEvent& e = emission.events[1];
  for (int difference = 0; difference < 5; ++difference) {
    CAPTURE(difference);
    TraceChecker checker(1, window);
    const CauseId frame = checker.add_cause("frame FIFO", "overrun");
    checker.emitted(e, captured(e));
    auto decoded = as_decoded(e);
    if (difference == 1) ++decoded.first_window;
    if (difference == 2) ++decoded.event.args[0];
    if (difference == 3) ++decoded.delta_us;
    if (difference == 4) checker.lost(e.node, e.first_sequence, frame);
    checker.read_until(100_ms);
    checker.event(decoded);
    checker.finish();
    CHECK(checker.spurious() == (difference == 0 ? 0 : 1));
    CHECK(checker.delivered_events() == (difference == 0 ? 1 : 0));
    CHECK(checker.balanced());
  }
}

TEST_CASE("a message stamped as received before it was sent is a causality violation of the monitor") {
  TraceChecker checker(2, window);
  Emission emission;
  NodeModel sender{NodeId{0}, pitch_ns, 0, 1_ms};
  NodeModel receiver{NodeId{1}, pitch_ns, 0, 2_ms};
  emission.emit(sender, {EventType::send_start, {1, 0, 0}}, {}, 77, MessageSide::send);
  emission.emit(receiver, {EventType::message_arrived, {0, 0, 0}}, {}, 77, MessageSide::receive);
  for (const auto& e : emission.events) checker.emitted(e, captured(e));
  checker.read_until(100_ms);
  for (const auto& e : emission.events) checker.event(as_decoded(e));
  CHECK(checker.causality().pairs() == 1);
  CHECK(checker.causality().violations() == 0);
}

TEST_CASE("under random losses on eight nodes the ledger balances and nothing is spurious") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    Rng rng(seed);
    const Emission emission = random_emission(rng, 8, 300, pitch_ns);
    TraceChecker checker(8, window);
    const CauseId cause = checker.add_cause("frame FIFO", "overrun");
    for (const auto& e : emission.events) checker.emitted(e, captured(e));

    std::set<std::pair<std::uint32_t, std::uint64_t>> killed;
    for (const auto& n : emission.data)
      if (below(rng, 60) == 0) killed.insert({n.node, n.sequence});
    for (const auto& [node, sequence] : killed) checker.lost(NodeId{node}, sequence, cause);
    std::uint64_t whole = 0;
    for (const auto& e : emission.events) {
      const auto hit = killed.lower_bound({index(e.node), e.first_sequence});
      const std::uint64_t end = e.first_sequence + info(e.event.type).hardware_nibbles();
      whole += hit == killed.end() || *hit >= std::pair{index(e.node), end} ? 1 : 0;
    }

    const StreamTiming timing(window.ps() / 1000, pitch_ns);
    FrameDecoder decoder(NodeId{0}, prototype, timing, checker);
    checker.read_until(1000_ms * 3600);
    capture(emission, window, decoder, [&](const Datum& n) { return !killed.contains({n.node, n.sequence}); });
    checker.finish();
    CHECK(checker.spurious() == 0);
    CHECK(checker.balanced());
    CHECK(checker.generated_events() == emission.events.size());
    CHECK(checker.generated_nibbles() == emission.data.size());
    CHECK(checker.lost_nibbles() == killed.size());
    CHECK(loss(checker, cause).events == emission.events.size() - whole);
    CHECK(checker.delivered_events() + checker.losses()[0].events == whole);
    CHECK(checker.timestamp_error().max <= Time{});
    CHECK(checker.timestamp_error().min > Time{} - window);
  }
}

TEST_CASE("events that are lost for long do not pile up: the next damaged nibble settles them") {
  TraceChecker checker(1, window);
  const CauseId cause = checker.add_cause("frame FIFO", "overrun");
  const auto emission = three_events();
  for (const auto& e : emission.events) {
    checker.emitted(e, captured(e));
    for (std::uint32_t k = 1; k < info(e.event.type).hardware_nibbles(); ++k)
      checker.lost(e.node, e.first_sequence + k, cause);
  }
  const auto last = static_cast<std::uint64_t>(emission.events[2].first_strobe / window);
  checker.read_until(100_ms);
  checker.damaged({NodeId{0}, last, last, 1});
  CHECK(checker.in_flight_events() == 1); // more of the last one may be on its way
  CHECK(loss(checker, cause).events == 2);
}

TEST_CASE("events of which no datum is left are not kept, be they behind one of which some arrived") {
  constexpr int n = 20'000;
  const int arrives = GENERATE(0, 1); // data of the first event that arrive; a decoder cannot report on their content
  Rng rng(5);
  Emission emission;
  NodeModel node{NodeId{0}, pitch_ns, 0, 1_ms};
  TraceChecker checker(1, window);
  const CauseId stuck = checker.add_cause("erb", "stuck strobe");
  const CauseId full = checker.add_cause("frame FIFO", "overrun");
  std::uint64_t most = 0;
  std::uint64_t nibbles = 0;
  for (int i = 0; i < n; ++i) {
    emission.emit(node, random_event(rng, EventType::tick), 50_ms);
    const EmittedEvent& e = emission.events.back();
    checker.emitted(e, captured(e));
    const std::uint32_t data = Catalogue::nx2().nibbles(e.event.type);
    for (std::uint32_t d = i == 0 ? static_cast<std::uint32_t>(arrives) : 0; d < data; ++d, ++nibbles)
      checker.lost(NodeId{0}, e.first_sequence + (d + 1) % data, d == 0 ? full : stuck);
    most = std::max(most, checker.in_flight_events());
  }
  CHECK(most < 100);
  CHECK(checker.balanced());
  checker.finish();
  CHECK(checker.in_flight_events() == 0);
  CHECK(loss(checker, full).events == 0); // not the first damaged datum of any event
  CHECK(loss(checker, stuck).events == n);
  CHECK(checker.lost_nibbles() == nibbles);
}

TEST_CASE("who is told of every event hears of a node's in their order, lost ones too") {
  struct Order : FateSink {
    std::vector<Time> heard;
    void delivered(const Emitted& e, Time, Time) override { heard.push_back(e.first); }
    void lost(const Emitted& e, std::size_t) override { heard.push_back(e.first); }
    void spurious(NodeId, EventType, Time, Time) override {}
  } order;
  Rng rng(5);
  Emission emission;
  NodeModel node{NodeId{0}, pitch_ns, 0, 1_ms};
  TraceChecker checker(1, window);
  checker.set_fates(&order);
  const CauseId stuck = checker.add_cause("erb", "stuck strobe");
  for (int i = 0; i < 300; ++i) {
    emission.emit(node, random_event(rng, EventType::tick), 50_ms);
    const EmittedEvent& e = emission.events.back();
    checker.emitted(e, captured(e));
    for (std::uint32_t d = i % 100 == 0 ? 1 : 0; d < Catalogue::nx2().nibbles(e.event.type); ++d)
      checker.lost(NodeId{0}, e.first_sequence + d, stuck);
  }
  checker.finish();
  REQUIRE(order.heard.size() == 300);
  CHECK(std::is_sorted(order.heard.begin(), order.heard.end()));
}

TEST_CASE("a falsified event is lost with its cause, and the event decoded in its place is not spurious") {
  TraceChecker checker(1, window);
  const CauseId bit_error = checker.add_cause("erb", "bit_error");
  const auto emission = three_events();
  for (const auto& e : emission.events) checker.emitted(e, captured(e));
  checker.falsified(NodeId{0}, emission.events[1].first_sequence + 3, bit_error);
  checker.read_until(100_ms);
  for (const auto& e : emission.events) {
    auto decoded = as_decoded(e);
    if (&e == &emission.events[1]) decoded.event.args[0] ^= 1;
    checker.event(decoded);
  }
  checker.finish();
  CHECK(checker.delivered_events() == 2);
  CHECK(checker.falsified() == 1);
  CHECK(checker.spurious() == 0);
  CHECK(loss(checker, bit_error).events == 1);
  CHECK(loss(checker, bit_error).nibbles == 0);
  CHECK(checker.lost_nibbles() == 0);
  CHECK(checker.balanced());
}

TEST_CASE("events emitted before a reset that have not arrived are lost, and later events are recognised") {
  TraceChecker checker(1, window);
  const CauseId reset = checker.add_cause("board", "reset");
  const auto emission = three_events();
  const Time origin = emission.events[2].first_strobe - window;
  checker.emitted(emission.events[0], captured(emission.events[0]));
  checker.emitted(emission.events[1], captured(emission.events[1]));
  checker.emitted(emission.events[2], {1, origin});
  for (std::uint64_t s = 0; s < 4; ++s) checker.lost(NodeId{0}, emission.events[1].first_sequence + s, reset);
  checker.restart(NodeId{0}, origin);
  CHECK(checker.lost_events() == 2);
  CHECK(loss(checker, reset).events == 1);
  CHECK(loss(checker, reset).nibbles == 4);
  auto decoded = as_decoded(emission.events[2]);
  decoded.first_window = 1;
  checker.read_until(100_ms);
  checker.event(decoded);
  CHECK(checker.delivered_events() == 1);
  CHECK(checker.timestamp_error().max == origin + window - emission.events[2].first_strobe);
}

TEST_CASE("an event is recognised even if the port stalls its writes and it is captured late") {
  for (const bool held : {false, true}) {
    TraceChecker checker(1, window, 1, held);
    const auto emission = three_events();
    const EmittedEvent& e = emission.events[0];
    checker.emitted(e, captured(e));
    auto decoded = as_decoded(e);
    decoded.first_window += 7;
    checker.read_until(100_ms);
    checker.event(decoded);
    CHECK(checker.delivered_events() == (held ? 1 : 0));
    CHECK(checker.spurious() == (held ? 0 : 1));
  }
}

TEST_CASE("a lost datum of a wide port counts with all its nibbles, and damages the event that it belongs to") {
  TraceChecker checker(1, window, 4);
  const CauseId overrun = checker.add_cause("frame_fifo", "overrun");
  auto emission = three_events();
  std::uint64_t sequence = 0;
  for (auto& e : emission.events) {
    e.first_sequence = sequence;
    sequence += info(e.event.type).hardware_nibbles() / 4;
    checker.emitted(e, captured(e));
  }
  checker.lost(NodeId{0}, emission.events[2].first_sequence - 1, overrun); // the second event's last datum
  CHECK(loss(checker, overrun).nibbles == 4);
  checker.read_until(100_ms);
  checker.event(as_decoded(emission.events[0]));
  checker.event(as_decoded(emission.events[2]));
  CHECK(checker.delivered_events() == 2);
  CHECK(loss(checker, overrun).events == 1);
}

TEST_CASE("data settle no event that begins after they were strobed, as power-on garbage was, be it known or not") {
  const auto emission = three_events();
  const auto after = static_cast<std::uint64_t>(emission.events[2].first_strobe / window) + 1;
  for (const bool as_event : {false, true})
    for (const bool known : {false, true}) {
      CAPTURE(as_event, known);
      TraceChecker checker(1, window);
      const CauseId aliasing = checker.add_cause("strobe_input", "aliasing");
      const CauseId reset = checker.add_cause("board", "reset");
      const auto emit = [&] {
        for (const auto& e : emission.events) {
          checker.emitted(e, captured(e));
          checker.lost(e.node, e.first_sequence + 1, aliasing);
        }
      };
      if (known) emit();
      checker.read_until(100_ms, emission.events[0].first_strobe);
      if (as_event)
        checker.event({{emission.events[0].event, 0}, NodeId{0}, after, after});
      else
        checker.damaged({NodeId{0}, after, after, 1});
      if (!known) emit();
      for (const auto& e : emission.events) checker.lost(e.node, e.first_sequence, reset);
      checker.restart(NodeId{0}, emission.events[2].first_strobe + 1_ms);
      CHECK(loss(checker, reset).events == 3);
      CHECK(loss(checker, aliasing).events == 0);
      CHECK(checker.spurious() == (as_event ? 1 : 0));
    }
}
