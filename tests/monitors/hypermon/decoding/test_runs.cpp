// SPDX-License-Identifier: BSD-3-Clause
// Strobes that come as runs are decoded as the same strobes that come as frames.
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/decoding/fake_stretch.hpp"
#include <tuple>

using namespace hypermon;
using namespace hypermon::test;

namespace {
/// All calls for a node, in order, and the times of read_until() that apply to an event.
struct Log final : DecoderSink {
  using Entry = std::tuple<bool, std::uint64_t, std::uint64_t, std::uint32_t, std::array<std::uint32_t, 3>, Time, Time>;
  std::vector<std::vector<Entry>> by_node = std::vector<std::vector<Entry>>(32);
  void event(const DecodedEvent& e) override {
    by_node[index(e.node)].push_back({true, e.first_window, e.last_window,
                                      std::uint32_t{type_code(e.event.type)} << 16 | e.delta_us, e.event.args,
                                      read_end(), strobed_before()});
  }
  void damaged(const DamagedSpan& s) override {
    by_node[index(s.node)].push_back({false, s.first_window, s.last_window, s.nibbles, {}, {}, {}});
  }
  std::size_t entries() const {
    std::size_t n = 0;
    for (const auto& entries : by_node) n += entries.size();
    return n;
  }
};

Log as_frames(const std::vector<Datum>& words, const FrameFormat& format, const StreamTiming& timing) {
  Log log;
  FrameDecoder decoder(NodeId{0}, format, timing, log);
  decoder.push(frames_of(words, window, format));
  decoder.finish();
  return log;
}

// Cuts at random windows; a part comes as a stretch or, one in four, as frames.
Log as_runs(const std::vector<Datum>& words, const FrameFormat& format, const StreamTiming& timing, Rng& rng) {
  Log log;
  FrameDecoder decoder(NodeId{0}, format, timing, log);
  const std::uint64_t end = static_cast<std::uint64_t>(words.back().strobe / window) + 1;
  for (std::uint64_t first = 0; first < end;) {
    const std::uint64_t next = std::min(end, first + 1 + below(rng, below(rng, 2) == 0 ? 100 : 30'000));
    const FakeStretch stretch(words, format, window, first, next);
    if (below(rng, 4) == 0)
      decoder.push(stretch.frames());
    else
      decoder.push_runs(stretch);
    first = next;
  }
  decoder.finish();
  return log;
}

void check_same(const Emission& emission, const FrameFormat& format, Rng& rng, std::uint64_t one_killed_in) {
  const StreamTiming timing(window.ps() / 1000, pitch_ns);
  std::vector<Datum> words;
  for (const Datum& d : emission.data)
    if (one_killed_in == 0 || below(rng, one_killed_in) != 0) words.push_back(d);
  const Log frames = as_frames(words, format, timing);
  const Log runs = as_runs(words, format, timing, rng);
  REQUIRE(frames.entries() != 0);
  for (std::size_t node = 0; node < 32; ++node) {
    CAPTURE(node);
    REQUIRE(runs.by_node[node] == frames.by_node[node]);
  }
}
} // namespace

TEST_CASE("runs cut anywhere give each node's events, damaged spans and ends of reading as frames do") {
  for (const std::int64_t bits : {4, 8, 16, 32})
    for (int round = 0; round < 12; ++round) {
      CAPTURE(bits, round);
      Rng rng(static_cast<std::uint64_t>(100 * bits + round));
      const FrameFormat format(16, bits, 32, false);
      check_same(random_emission(rng, 3, 40, pitch_ns, bits), format, rng, 0);
    }
}

TEST_CASE("the same with data missing: holes, hunting and lost starts") {
  for (const std::int64_t bits : {4, 8, 16, 32})
    for (int round = 0; round < 12; ++round) {
      CAPTURE(bits, round);
      Rng rng(static_cast<std::uint64_t>(7000 + 100 * bits + round));
      const FrameFormat format(16, bits, 32, false);
      check_same(random_emission(rng, 3, 40, pitch_ns, bits), format, rng, 4 + below(rng, 60));
    }
}

TEST_CASE("the same with falsified nibbles: unknown codes, wrong padding and deltas") {
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    Rng rng(static_cast<std::uint64_t>(9000 + round));
    Emission emission = random_emission(rng, 3, 40, pitch_ns);
    for (Datum& d : emission.data)
      if (below(rng, 50) == 0) d.value ^= 1U + static_cast<std::uint32_t>(below(rng, 15));
    check_same(emission, FrameFormat(16, 4, 32, false), rng, 0);
  }
}

TEST_CASE(
    "the same of nodes that are slower or faster than they should be: no event is taken that has holes or overlaps") {
  for (const double factor : {2.0, 0.9}) {
    CAPTURE(factor);
    Rng rng(4);
    Emission emission;
    NodeModel node{NodeId{1}, pitch_ns * factor, 0, 1_ms};
    for (int i = 0; i < 20; ++i) emission.emit(node, random_event(rng), i % 3 == 0 ? 1_ms : Time{});
    const FrameFormat format(16, 4, 32, false);
    const Log log = as_frames(emission.data, format, StreamTiming(window.ps() / 1000, pitch_ns));
    REQUIRE(std::any_of(log.by_node[1].begin(), log.by_node[1].end(), [](const auto& e) { return !std::get<0>(e); }));
    check_same(emission, format, rng, 0);
  }
}

TEST_CASE("narrow timestamps and timestamps on request take the frames of a stretch") {
  for (const FrameFormat& format : {FrameFormat(16, 4, 16, false), FrameFormat(16, 4, 32, true)})
    for (int round = 0; round < 5; ++round) {
      Rng rng(static_cast<std::uint64_t>(11'000 + round));
      check_same(random_emission(rng, 3, 40, pitch_ns), format, rng, 30);
    }
}
