// SPDX-License-Identifier: BSD-3-Clause
// Timestamps on request: only frames with an event's first word are stamped.
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/decoding/stream.hpp"

using namespace hypermon;
using namespace hypermon::test;

namespace {
struct RequestTrial {
  Emission emission;
  Width width{};
  Collector found{};
  std::uint64_t words_arrived = 0;

  RequestTrial(Emission e, Width w) : emission(std::move(e)), width(w) {}

  const FrameFormat format() const { return FrameFormat(8, width.word_bits, 32, true); }
  std::vector<DeliveredFrame> frames() const {
    return frames_of(words_of(emission, width, [](const Datum&) { return true; }), window, format());
  }
  void decode(std::span<const DeliveredFrame> frames) {
    found = {};
    words_arrived = 0;
    for (const auto& f : frames) words_arrived += static_cast<std::uint64_t>(std::popcount(f.frame.vector));
    const StreamTiming timing(window.ps() / 1000, width.word_pitch_ns(pitch_ns));
    FrameDecoder decoder(NodeId{0}, format(), timing, found);
    decoder.push(frames);
    decoder.finish();
  }

  Time strobe(const EmittedEvent& e, std::uint32_t word) const {
    const auto at = std::find_if(emission.data.begin(), emission.data.end(), [&](const Datum& d) {
      return d.node == index(e.node) && d.sequence == e.first_sequence + (word + 1) * width.data_per_word() - 1;
    });
    return at->strobe;
  }
  std::uint32_t words(std::uint32_t nibbles) const {
    const auto per_word = static_cast<std::uint32_t>(width.word_bits / 4);
    return (nibbles + per_word - 1) / per_word;
  }
  std::uint32_t length(const EmittedEvent& e) const { return words(info(e.event.type).hardware_nibbles()); }
  bool delivered(const EmittedEvent& e) const {
    return std::any_of(found.events.begin(), found.events.end(),
                       [&](const auto& d) { return same(e, d, window, strobe(e, 0)); });
  }
  std::size_t delivered_count() const {
    std::size_t n = 0;
    for (const auto& e : emission.events) n += delivered(e) ? 1 : 0;
    return n;
  }
  // Every event that was delivered was emitted; every word is in an event or in a damaged span.
  void check_honest() const {
    REQUIRE(found.events.size() == delivered_count());
    std::uint64_t nibbles = found.damaged_nibbles();
    for (const auto& e : found.events) nibbles += info(e.event.type).hardware_nibbles();
    REQUIRE(nibbles == words_arrived * static_cast<std::uint64_t>(width.word_bits) / 4);
  }
  // Did the first `n` words of the event arrive, with [from, to) lost?
  bool arrived(const EmittedEvent& e, std::uint32_t n, Time from, Time to) const {
    for (std::uint32_t i = 0; i < n; ++i)
      if (const Time end = window * (strobe(e, i) / window + 1); end > from && end <= to) return false;
    return true;
  }
};

constexpr std::array<Width, 5> requested_widths{{{4, 4}, {8, 8}, {16, 16}, {32, 32}, {4, 32}}};
} // namespace

TEST_CASE("nothing is lost while nothing is missing: on request, of every width, on four drifting nodes") {
  for (const Width& width : requested_widths)
    for (int round = 0; round < 4; ++round) {
      CAPTURE(width.datum_bits, width.word_bits, round);
      Rng rng(static_cast<std::uint64_t>(100 + round + width.word_bits));
      RequestTrial t(random_emission(rng, 4, 50, pitch_ns, width.datum_bits), width);
      const auto frames = t.frames();
      const auto stamped = std::count_if(frames.begin(), frames.end(), [](const auto& f) { return f.frame.stamped; });
      REQUIRE(stamped <= 4 * 50); // at most one for each event
      t.decode(frames);
      t.check_honest();
      REQUIRE(t.found.spans.empty());
      REQUIRE(t.found.events.size() == t.emission.events.size());
    }
}

TEST_CASE(
    "a lost run of frames costs each node the events that it touches and the one before, and later ones survive") {
  for (const Width& width : requested_widths) {
    std::size_t given_up = 0;
    for (int round = 0; round < 60; ++round) {
      CAPTURE(width.datum_bits, width.word_bits, round);
      Rng rng(static_cast<std::uint64_t>(500 + 100 * width.word_bits + round));
      RequestTrial t(random_emission(rng, 3, 30, pitch_ns, width.datum_bits), width);
      auto frames = t.frames();
      const auto first = static_cast<std::ptrdiff_t>(below(rng, frames.size() / 2));
      const auto n = static_cast<std::ptrdiff_t>(1 + below(rng, frames.size() / 8));
      const Time from = first == 0 ? Time{} : frames[static_cast<std::size_t>(first - 1)].read_end;
      const Time to = frames[static_cast<std::size_t>(first + n - 1)].read_end;
      frames.erase(frames.begin() + first, frames.begin() + first + n);
      t.decode(frames);
      t.check_honest();
      for (std::size_t i = 0; i < t.emission.events.size(); ++i) {
        const EmittedEvent& e = t.emission.events[i];
        const bool whole = t.arrived(e, t.length(e), from, to);
        const bool last = i + 1 == t.emission.events.size() || t.emission.events[i + 1].node != e.node;
        // The start of the stream's last event is confirmed by the one before it, every other event by the next.
        const bool confirmed = last ? t.delivered(t.emission.events[i - 1])
                                    : t.arrived(t.emission.events[i + 1], t.words(header), from, to);
        CAPTURE(i, whole, last);
        if (!whole) REQUIRE_FALSE(t.delivered(e));
        if (whole && confirmed) REQUIRE(t.delivered(e));
        given_up += whole && !t.delivered(e) ? 1 : 0;
      }
    }
    CHECK(given_up != 0); // the limit of the guarantee is seen
  }
}

TEST_CASE(
    "random losses of single frames: what is delivered was emitted, and most of what arrived whole is delivered") {
  for (int round = 0; round < 40; ++round) {
    CAPTURE(round);
    Rng rng(static_cast<std::uint64_t>(900 + round));
    RequestTrial t(random_emission(rng, 3, 60, pitch_ns), {});
    auto frames = t.frames();
    const std::uint64_t one_in = 20 + below(rng, 200);
    const std::size_t all = frames.size();
    std::erase_if(frames, [&](const auto&) { return below(rng, one_in) == 0; });
    t.decode(frames);
    t.check_honest();
    // A frame is lost for at most three nodes, each of which loses at most its event and the one before.
    REQUIRE(t.delivered_count() + 6 * (all - frames.size()) >= t.emission.events.size());
  }
}

TEST_CASE("the end of an event and the beginning of the next are missing: the two halves are not taken for one event") {
  Rng rng(31);
  Emission emission;
  NodeModel node{NodeId{2}, pitch_ns, 0, 1_ms};
  for (int i = 0; i < 6; ++i) emission.emit(node, random_event(rng, EventType::send_start), 1_ms);
  RequestTrial t(std::move(emission), {});
  for (std::ptrdiff_t kept = 1; kept < 16; ++kept) { // data of event 2 that arrive; event 3 lacks as many
    CAPTURE(kept);
    auto frames = t.frames();
    frames.erase(frames.begin() + 2 * 16 + kept, frames.begin() + 3 * 16 + kept);
    t.decode(frames);
    t.check_honest();
    CHECK(t.delivered_count() == 4);
    CHECK_FALSE(t.delivered(t.emission.events[2]));
    CHECK_FALSE(t.delivered(t.emission.events[3]));
  }
}

TEST_CASE("on request an event is read when its last word is, though the next one confirms it") {
  struct Ends final : DecoderSink {
    std::vector<Time> ends;
    void event(const DecodedEvent&) override { ends.push_back(read_end()); }
    void damaged(const DamagedSpan&) override { FAIL(); }
  } found;
  Rng rng(32);
  RequestTrial t(random_emission(rng, 1, 20, pitch_ns), {});
  const StreamTiming timing(window.ps() / 1000, pitch_ns);
  FrameDecoder decoder(NodeId{0}, t.format(), timing, found);
  decoder.push(t.frames());
  decoder.finish();
  REQUIRE(found.ends.size() == 20);
  for (std::size_t i = 0; i < 20; ++i) {
    const EmittedEvent& e = t.emission.events[i];
    CHECK(found.ends[i] == window * (t.strobe(e, t.length(e) - 1) / window + 1));
  }
}
