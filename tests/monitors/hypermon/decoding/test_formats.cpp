// SPDX-License-Identifier: BSD-3-Clause
// Frames of other formats than the prototype's: wider and accumulated data, timestamps of other widths.
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/decoding/stream.hpp"

using namespace hypermon;
using namespace hypermon::test;

namespace {
constexpr std::array<Width, 7> widths{{{4, 4}, {8, 8}, {16, 16}, {32, 32}, {4, 32}, {8, 32}, {16, 32}}};

// When an event's first word is complete.
Time stamp(const EmittedEvent& e, const Emission& emission, const Width& width) {
  const auto last = std::find_if(emission.data.begin(), emission.data.end(), [&](const Datum& d) {
    return d.node == index(e.node) && d.sequence == e.first_sequence + width.data_per_word() - 1;
  });
  return last->strobe;
}

struct Decoded {
  Collector found;
  AmbiguousSilences ambiguous;
};

Decoded decode(std::span<const DeliveredFrame> frames, const FrameFormat& format, const Width& width,
               bool wrap_frames = false) {
  Decoded result;
  const StreamTiming timing(window.ps() / 1000, width.word_pitch_ns(pitch_ns));
  FrameDecoder decoder(NodeId{0}, format, timing, result.found, wrap_frames);
  decoder.push(frames);
  decoder.finish();
  result.ambiguous = decoder.ambiguous();
  return result;
}

// A tick on node 0 every 50 ms: no two frames are more than 62 500 windows apart.
Emission ticks(std::int64_t n) {
  Emission emission;
  Rng rng(5);
  NodeModel node{NodeId{0}, pitch_ns, 0, 1_ms};
  for (std::int64_t i = 0; i < n; ++i)
    emission.emit(node, random_event(rng, EventType::tick), 1_ms + 50_ms * i - node.now);
  return emission;
}

// Frames of an emission, and with each window whose successor's timestamp is 0 an empty one.
std::vector<DeliveredFrame> with_wrap_frames(std::vector<DeliveredFrame> frames, const FrameFormat& format) {
  const auto k = [](const DeliveredFrame& f) { return static_cast<std::uint64_t>(f.read_end / window) - 1; };
  std::vector<DeliveredFrame> result;
  std::uint64_t next = 0;
  for (const DeliveredFrame& f : frames) {
    for (; next < k(f); ++next)
      if ((next & format.timestamp_mask()) == format.timestamp_mask())
        result.push_back({{0, true, next & format.timestamp_mask(), {}}, window * static_cast<std::int64_t>(next + 1)});
    result.push_back(f);
    next = k(f) + 1;
  }
  return result;
}
} // namespace

TEST_CASE("every width of port and word gives every event, stamped when its first word is complete") {
  for (const Width& width : widths) {
    CAPTURE(width.datum_bits, width.word_bits);
    Rng rng(static_cast<std::uint64_t>(width.datum_bits));
    const Emission emission = random_emission(rng, 3, 60, pitch_ns, width.datum_bits);
    const FrameFormat format(20, width.word_bits, 32, false);
    const auto words = words_of(emission, width, [](const Datum&) { return true; });
    Decoded decoded = decode(frames_of(words, window, format), format, width);
    CHECK(decoded.found.spans.empty());
    auto& events = decoded.found.events;
    REQUIRE(events.size() == emission.events.size());
    std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
    for (std::size_t i = 0; i < events.size(); ++i)
      REQUIRE(same(emission.events[i], events[i], window, stamp(emission.events[i], emission, width)));
  }
}

TEST_CASE("a lost word of any width costs its own event and no other") {
  for (const Width& width : widths) {
    CAPTURE(width.datum_bits, width.word_bits);
    Rng rng(static_cast<std::uint64_t>(40 + width.word_bits));
    const Emission emission = random_emission(rng, 1, 12, pitch_ns, width.datum_bits);
    const FrameFormat format(1, width.word_bits, 32, false);
    const auto all = words_of(emission, width, [](const Datum&) { return true; });
    // The last two events are left alone: a start is confirmed by the event after it.
    const std::uint64_t end = emission.events[10].first_sequence / width.data_per_word();
    for (std::uint64_t lost = 0; lost < end; ++lost) {
      CAPTURE(lost);
      auto words = all;
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(lost));
      const Decoded decoded = decode(frames_of(words, window, format), format, width);
      REQUIRE(decoded.found.events.size() == 11);
      std::uint64_t nibbles = decoded.found.damaged_nibbles();
      for (const auto& e : decoded.found.events) nibbles += info(e.event.type).hardware_nibbles();
      REQUIRE(nibbles == words.size() * static_cast<std::uint64_t>(width.word_bits) / 4);
    }
  }
}

TEST_CASE(
    "a word in the middle of an event is never taken for an event, whatever the width, with half of all missing") {
  for (const Width& width : widths) {
    CAPTURE(width.datum_bits, width.word_bits);
    Rng rng(static_cast<std::uint64_t>(60 + width.word_bits));
    for (int round = 0; round < 20; ++round) {
      const Emission emission = random_emission(rng, 1, 100, pitch_ns, width.datum_bits);
      const FrameFormat format(1, width.word_bits, 32, false);
      auto words = words_of(emission, width, [](const Datum&) { return true; });
      std::erase_if(words, [&](const Datum&) { return below(rng, 3) == 0; });
      const Decoded decoded = decode(frames_of(words, window, format), format, width);
      for (const auto& d : decoded.found.events)
        REQUIRE(std::any_of(emission.events.begin(), emission.events.end(),
                            [&](const EmittedEvent& e) { return same(e, d, window, stamp(e, emission, width)); }));
    }
  }
}

TEST_CASE("a datum lost before it was collected shifts the rest: all of it is damaged, nothing is invented") {
  const Width width{8, 32};
  Rng rng(9);
  Emission emission = random_emission(rng, 1, 40, pitch_ns, width.datum_bits);
  const std::uint64_t lost = emission.events[3].first_sequence + 1;
  std::erase_if(emission.data, [&](const Datum& d) { return d.sequence == lost; });
  for (std::size_t i = lost; i < emission.data.size(); ++i) --emission.data[i].sequence;
  const FrameFormat format(1, 32, 32, false);
  const auto words = words_of(emission, width, [](const Datum&) { return true; });
  const Decoded decoded = decode(frames_of(words, window, format), format, width);
  REQUIRE(decoded.found.events.size() == 3);
  std::uint64_t whole = 0;
  for (std::size_t i = 0; i < 3; ++i) whole += info(emission.events[i].event.type).hardware_nibbles();
  CHECK(whole + decoded.found.damaged_nibbles() == 8 * words.size());
}

TEST_CASE("timestamps of 17 to 64 bits unwrap over ticks 62 500 windows apart, and nothing is ambiguous") {
  const Emission emission = ticks(40);
  for (std::int64_t bits = 17; bits <= 64; ++bits) {
    CAPTURE(bits);
    const FrameFormat format(16, 4, bits, false);
    const Decoded decoded = decode(frames_of(emission.data, window, format), format, {});
    REQUIRE(decoded.found.events.size() == 40);
    for (std::size_t i = 0; i < 40; ++i) REQUIRE(same(emission.events[i], decoded.found.events[i], window));
    CHECK(decoded.ambiguous == AmbiguousSilences{});
  }
}

TEST_CASE("a silence longer than the timestamp's range is reported, with the frame after the first of them") {
  const Emission emission = ticks(10);
  const FrameFormat format(16, 4, 12, false); // 4096 windows; the ticks are 62 500 apart
  const auto frames = frames_of(emission.data, window, format);
  const Decoded decoded = decode(frames, format, {});
  // The first tick comes at 1 ms: 1250 windows and a pitch after the reset. So the second is the first ambiguous one.
  CHECK(decoded.ambiguous.count == 9);
  CHECK(decoded.ambiguous.first_frame == info(EventType::tick).hardware_nibbles());
}

TEST_CASE("a silence of 2^bits windows is resolved, and a silence of one more window is not") {
  const FrameFormat format(16, 4, 8, false);
  const auto frame = [&](std::uint64_t k) {
    return DeliveredFrame{{1, true, k & format.timestamp_mask(), {5}}, window * static_cast<std::int64_t>(k + 1)};
  };
  for (const std::uint64_t silence : {1, 255, 256, 257, 300}) {
    CAPTURE(silence);
    const std::array<DeliveredFrame, 2> frames{frame(10), frame(10 + silence)};
    WindowUnwrapper unwrapper(8, window, false);
    unwrapper.check(frames);
    CHECK(unwrapper.take(frames[0].frame) == 10);
    CHECK((unwrapper.take(frames[1].frame) == 10 + silence) == (silence <= 256));
    CHECK(unwrapper.ambiguous() == (silence <= 256 ? AmbiguousSilences{} : AmbiguousSilences{1, 1}));
  }
}

TEST_CASE("a board that may have begun to count earlier makes a wrap possible that would come after the reading") {
  const FrameFormat format(16, 4, 8, false);
  const DeliveredFrame read{{1, true, 10, {5}}, window * 11}; // read at the end of its window, if that is the 10th
  for (const Time skew : {Time{}, window * 255, window * 256}) {
    CAPTURE(skew.ps());
    WindowUnwrapper unwrapper(8, window, false, skew);
    unwrapper.check(std::array{read});
    CHECK(unwrapper.ambiguous().count == (skew < window * 256 ? 0 : 1));
  }
}

TEST_CASE("an empty frame at every wrap unwinds any silence, with timestamps of any width") {
  const Emission emission = ticks(4);
  for (std::int64_t bits = 1; bits <= 40; ++bits) {
    CAPTURE(bits);
    const FrameFormat format(16, 4, bits, false);
    const auto frames = with_wrap_frames(frames_of(emission.data, window, format), format);
    const Decoded decoded = decode(frames, format, {}, true);
    REQUIRE(decoded.found.events.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) REQUIRE(same(emission.events[i], decoded.found.events[i], window));
    CHECK(decoded.ambiguous == AmbiguousSilences{});
  }
}

TEST_CASE("after a reset windows are counted from there, and what was under way is damaged") {
  const StreamTiming timing(800, pitch_ns);
  Collector found;
  FrameDecoder decoder(NodeId{0}, prototype, timing, found);
  const Emission emission = ticks(1);
  auto frames = frames_of(emission.data, window, prototype);
  decoder.push(std::span(frames).first(5));
  decoder.restart(100_ms);
  for (auto& f : frames) f.read_end += 100_ms;
  decoder.push(frames);
  decoder.finish();
  CHECK(found.damaged_nibbles() == 5);
  REQUIRE(found.events.size() == 1);
  CHECK(same(emission.events[0], found.events[0], window));
}

TEST_CASE("a frame whose timestamp is later than its reading is dropped, and later frames are decoded without it") {
  const StreamTiming timing(800, pitch_ns);
  Collector found;
  FrameDecoder decoder(NodeId{0}, prototype, timing, found);
  const Emission emission = ticks(3);
  auto frames = frames_of(emission.data, window, prototype);
  DeliveredFrame garbage = frames[7];
  garbage.frame.vector = 0x8001;
  garbage.frame.timestamp = static_cast<std::uint64_t>(garbage.read_end / window) + 1; // begins after read_end
  frames.insert(frames.begin() + 8, garbage);
  decoder.push(frames);
  decoder.finish();
  CHECK(decoder.impossible().count == 1);
  CHECK(decoder.impossible().first_frame == 8);
  CHECK(found.damaged_nibbles() == 2);
  REQUIRE(found.events.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(same(emission.events[i], found.events[i], window));

  // A board that began to count early stamps late: then it may be right.
  Collector skewed;
  FrameDecoder lenient(NodeId{0}, prototype, timing, skewed, false, 1_ms);
  lenient.push(frames);
  CHECK(lenient.impossible().count == 0);
}
