// SPDX-License-Identifier: BSD-3-Clause
// Each rule of the contract's section 6 (docs/design/section6.md) by hand, for the oracle and for the board: what the
// random comparison takes the oracle's word for is derived here.
#include "tests/monitors/hypermon/core/oracle_and_board.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

constexpr Time edge(std::int64_t n) { return 50_ns * n; }

/// A board whose windows end at every edge and whose builder takes one entry at each: the strobes of window k, at
/// edge(k), enter the strobe-vector FIFO at edge k + 1, are taken at k + 2, and form a frame at k + 3 that can be read
/// from k + 4 on.
EcbParams fastest() {
  EcbParams ecb;
  ecb.inputs = 1;
  ecb.window_ns = 50;
  ecb.builder_cycles = 1;
  return ecb;
}
constexpr std::int64_t to_push = 3;

std::vector<std::uint64_t> timestamps(const Outcome& o) {
  std::vector<std::uint64_t> all;
  for (const auto& d : o.frames) all.push_back(d.frame.timestamp);
  return all;
}
std::vector<Time> read_ends(const Outcome& o) {
  std::vector<Time> all;
  for (const auto& d : o.frames) all.push_back(d.read_end);
  return all;
}
using Timestamps = std::vector<std::uint64_t>;
using Times = std::vector<Time>;
using Losses = std::vector<Loss>;

} // namespace

// --- accumulation ---

TEST_CASE("an accumulated word holds its first datum lowest and is stamped in the window that completes it") {
  Scenario s{fastest()};
  s.port.width_bits = 8;
  s.ecb.accumulate_bits = 32;
  s.strobes(0, edge(0), edge(7), {0x11, 0x22, 0x33, 0x44}); // the last in window 21
  on_oracle_and_board(s, [&](const Outcome& o) {
    REQUIRE(o.frames.size() == 1);
    CHECK(o.frames[0].frame.data[0] == 0x44332211);
    CHECK(o.frames[0].frame.timestamp == 3 * 7);
    CHECK(o.counts.strobes == 4);
    CHECK(o.counts.merged == 0);
    CHECK(o.counts.accumulating == 0);
  });
}

TEST_CASE("data of a word that is never complete stay in the accumulator") {
  Scenario s{fastest()};
  s.port.width_bits = 8;
  s.ecb.accumulate_bits = 32;
  s.strobes(0, edge(0), edge(7), {1, 2, 3, 4, 5, 6, 7}); // a word and three data
  on_oracle_and_board(s, [&](const Outcome& o) {
    CHECK(o.frames.size() == 1);
    CHECK(o.counts.accumulating == 3);
    CHECK(o.counts.strobes == 7);
    CHECK(o.losses.empty());
  });
}

TEST_CASE("strobes that only collect neither alias nor mark the window") {
  Scenario s{EcbParams{}};
  s.port.width_bits = 16;
  s.ecb.accumulate_bits = 32;
  s.strobes(0, 0_ns, 10_ns, {0xA, 0xB, 0xC}); // window 0: a word and half of another
  s.strobe(0, 800_ns, 0xD);                   // window 1
  on_oracle_and_board(s, [&](const Outcome& o) {
    REQUIRE(timestamps(o) == Timestamps{0, 1});
    CHECK(o.frames[0].frame.data[0] == 0x000B'000A);
    CHECK(o.frames[1].frame.data[0] == 0x000D'000C);
    CHECK(o.counts.aliasing == 0);
  });
}

TEST_CASE("a word that aliases is lost with all its data, and the accumulator starts anew") {
  Scenario s{EcbParams{}};
  s.port.width_bits = 16;
  s.ecb.accumulate_bits = 32;
  s.strobes(0, 0_ns, 10_ns, {1, 2, 3, 4}); // two words in window 0
  s.strobes(0, 800_ns, 10_ns, {5, 6});
  on_oracle_and_board(s, [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 1});
    CHECK(o.frames.back().frame.data[0] == 0x0006'0005);
    CHECK(o.counts.aliasing == 1);
    CHECK(o.losses == Losses{{0, 2, LossCause::aliasing, 30_ns}, {0, 3, LossCause::aliasing, 30_ns}});
  });
}

TEST_CASE("a word that overruns its node FIFO is lost with all its data") {
  Scenario s{fastest()};
  s.port.width_bits = 16;
  s.ecb.accumulate_bits = 32;
  s.ecb.node_fifo_entries = 1;
  s.strobes(0, edge(0), 0_ps, {1, 2}); // leaves at edge 2
  s.strobes(0, edge(1), 0_ps, {3, 4});
  s.strobes(0, edge(2), 0_ps, {5, 6});
  on_oracle_and_board(s, [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 2});
    CHECK(o.counts.node_overruns == 1);
    CHECK(o.losses == Losses{{0, 2, LossCause::node_overrun, edge(1)}, {0, 3, LossCause::node_overrun, edge(1)}});
  });
}

// --- node FIFO full ---

TEST_CASE("a full node FIFO drops strobes until the edge at which the builder takes a datum") {
  Scenario s{fastest()};
  s.ecb.node_fifo_entries = 1;
  s.strobe(0, edge(0)); // leaves at edge 2
  s.strobe(0, edge(1)).strobe(0, edge(2) - 1_ps).strobe(0, edge(2));
  on_oracle_and_board(s, [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 2});
    CHECK(o.losses ==
          Losses{{0, 1, LossCause::node_overrun, edge(1)}, {0, 2, LossCause::node_overrun, edge(2) - 1_ps}});
  });
}

TEST_CASE("a strobe is held until a full node FIFO has room, and enters in the window of that time") {
  Scenario s{fastest()};
  s.ecb.node_fifo_entries = 1;
  s.ecb.node_fifo_full = WhenFull::stall;
  s.strobe(0, edge(0), 1);        // leaves at edge 2
  s.strobe(0, edge(1) + 1_ps, 2); // happens at edge 2
  on_oracle_and_board(s, [&](const Outcome& o) {
    REQUIRE(timestamps(o) == Timestamps{0, 2});
    CHECK(o.frames[1].frame.data[0] == 2);
    CHECK(o.losses.empty());
    CHECK(o.counts.node_overruns == 0);
  });
}

TEST_CASE("what follows a held strobe follows from when that happened") {
  Scenario s{fastest()};
  s.ecb.node_fifo_entries = 1;
  s.ecb.node_fifo_full = WhenFull::stall;
  s.strobe(0, edge(0));                 // leaves at edge 2
  s.strobes(0, edge(1), 10_ns, {1, 1}); // the first is held to edge 2, the second aliases with it 10 ns later
  s.strobe(0, edge(1) + 20_ns);         // not before the previous strobe
  s.strobe(0, edge(2) + 20_ns);         // at its own time
  on_oracle_and_board(s, [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 2});
    CHECK(o.losses == Losses{{0, 2, LossCause::aliasing, edge(2) + 10_ns},
                             {0, 3, LossCause::aliasing, edge(2) + 10_ns},
                             {0, 4, LossCause::aliasing, edge(2) + 20_ns}});
  });
}

TEST_CASE("a strobe that aliases is lost at its own time even where the node FIFO is full and stalls") {
  Scenario s{EcbParams{}};
  s.ecb.node_fifo_entries = 1;
  s.ecb.node_fifo_full = WhenFull::stall;
  s.strobe(0, 0_ns).strobe(0, 10_ns);
  on_oracle_and_board(s, [&](const Outcome& o) { CHECK(o.losses == Losses{{0, 1, LossCause::aliasing, 10_ns}}); });
}

TEST_CASE("only the strobe that completes a word is held") {
  Scenario s{fastest()};
  s.port.width_bits = 16;
  s.ecb.accumulate_bits = 32;
  s.ecb.node_fifo_entries = 1;
  s.ecb.node_fifo_full = WhenFull::stall;
  s.strobes(0, edge(0), 0_ps, {1, 2});  // leaves at edge 2
  s.strobes(0, edge(1), 10_ns, {3, 4}); // 3 at its time, 4 at edge 2
  s.strobe(0, edge(1) + 30_ns, 5);      // also at edge 2
  on_oracle_and_board(s, [&](const Outcome& o) {
    REQUIRE(timestamps(o) == Timestamps{0, 2});
    CHECK(o.frames[1].frame.data[0] == 0x0004'0003);
    CHECK(o.counts.accumulating == 1);
  });
}

// --- strobe-vector FIFO full ---

namespace {
/// Room for one entry, and a builder of 8 cycles. Window 0 enters at edge 1 and is taken at edge 2. Window 1 ends at
/// edge 2. Window 2 enters at edge 3 and waits for the builder until edge 10. Window 3 ends at edge 4.
Scenario one_vector() {
  Scenario s{fastest()};
  s.ecb.builder_cycles = 8;
  s.ecb.vector_fifo_entries = 1;
  s.strobes(0, edge(0), edge(1), {10, 11, 12, 13});
  return s;
}
} // namespace

TEST_CASE("a window that finds the strobe-vector FIFO full is lost, also when an entry is taken at that edge") {
  on_oracle_and_board(one_vector(), [&](const Outcome& o) {
    REQUIRE(timestamps(o) == Timestamps{0, 2});
    CHECK(o.frames[1].frame.data[0] == 12);
    CHECK(o.losses == Losses{{0, 1, LossCause::window_lost, edge(2)}, {0, 3, LossCause::window_lost, edge(4)}});
    CHECK(o.counts.windows_lost == 2);
    CHECK(o.counts.discarded == 2);
  });
}

TEST_CASE("drop_oldest drops the oldest window that the builder has not taken, or the new window if there is none") {
  Scenario s = one_vector();
  s.ecb.vector_fifo_full = WhenFull::drop_oldest;
  on_oracle_and_board(s, [&](const Outcome& o) {
    REQUIRE(timestamps(o) == Timestamps{0, 3});
    CHECK(o.frames[1].frame.data[0] == 13);
    CHECK(o.losses == Losses{{0, 1, LossCause::window_lost, edge(2)}, {0, 2, LossCause::window_lost, edge(4)}});
    CHECK(o.counts.windows_lost == 2);
    CHECK(o.counts.discarded == 2);
  });
}

TEST_CASE("drop_oldest loses the second oldest window where the builder takes the oldest at that edge") {
  Scenario s = one_vector();
  s.ecb.vector_fifo_full = WhenFull::drop_oldest;
  s.ecb.vector_fifo_entries = 2; // window 0 is taken at edge 2, windows 1 and 2 wait from edge 3 on
  s.strobe(0, edge(9));          // window 3 ends at edge 4: window 1 goes. Window 9 ends at edge 10: 2 is taken, 3 goes
  on_oracle_and_board(s, [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 2, 9});
    CHECK(o.losses == Losses{{0, 1, LossCause::window_lost, edge(4)}, {0, 3, LossCause::window_lost, edge(10)}});
  });
}

TEST_CASE("a held strobe enters when drop_oldest discards a datum of its input") {
  Scenario s = one_vector(); // window 2's datum waits from edge 2 on
  s.ecb.vector_fifo_full = WhenFull::drop_oldest;
  s.ecb.inputs = 2;
  s.ecb.node_fifo_entries = 2;
  s.ecb.node_fifo_full = WhenFull::stall;
  // After window 3's strobe, the node FIFO has the data of windows 2 and 3; at edge 4 the one of window 2 leaves.
  s.strobe(0, edge(4)).strobe(0, edge(5));
  // Window 4's enters at once; window 5's finds 3 and 4 until at edge 5 window 4 throws out window 3; and so on.
  on_oracle_and_board(s, [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 5});
    CHECK(o.losses == Losses{{0, 1, LossCause::window_lost, edge(2)},
                             {0, 2, LossCause::window_lost, edge(4)},
                             {0, 3, LossCause::window_lost, edge(5)},
                             {0, 4, LossCause::window_lost, edge(6)}});
  });
}

// --- frame FIFO full ---

namespace {
/// Frames of windows 0 to 3 arrive at edges 3 to 6; reading one takes 60 edges.
constexpr std::int64_t read_edges = 60;
Scenario slow_reader(std::int64_t depth, WhenFull policy) {
  Scenario s{fastest()};
  s.ecb.frame_fifo_frames = depth;
  s.ecb.frame_fifo_full = policy;
  s.pbx.word_ns = read_edges * 50 / 3; // a data word, a vector word and a timestamp word
  s.strobes(0, edge(0), edge(1), {10, 11, 12, 13});
  return s;
}
constexpr Time first_read_end = edge(to_push + 1 + read_edges);
} // namespace

TEST_CASE("a full frame FIFO drops the newest frame") {
  on_oracle_and_board(slow_reader(2, WhenFull::drop_newest), [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 1});
    CHECK(o.losses ==
          Losses{{0, 2, LossCause::frame_lost, edge(to_push + 2)}, {0, 3, LossCause::frame_lost, edge(to_push + 3)}});
    CHECK(o.counts.first_overrun == edge(to_push + 2));
    CHECK(o.counts.frames_built == 4);
    CHECK(o.counts.frames_lost == 2);
  });
}

TEST_CASE("drop_oldest loses the oldest frame that is not being read") {
  on_oracle_and_board(slow_reader(2, WhenFull::drop_oldest), [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 3});
    CHECK(o.losses ==
          Losses{{0, 1, LossCause::frame_lost, edge(to_push + 2)}, {0, 2, LossCause::frame_lost, edge(to_push + 3)}});
    CHECK(o.counts.first_overrun == edge(to_push + 2));
    CHECK(o.counts.peak_frame_fifo == 2);
  });
}

TEST_CASE("drop_oldest loses the newest frame where the only other starts being read at that edge") {
  on_oracle_and_board(slow_reader(1, WhenFull::drop_oldest), [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0});
    CHECK(o.losses.front() == Loss{0, 1, LossCause::frame_lost, edge(to_push + 1)}); // edge 4: frame 0 starts
  });
}

TEST_CASE("drop_oldest may lose a frame that the group reader has counted but does not yet read") {
  Scenario s = slow_reader(1, WhenFull::drop_oldest);
  s.reader.kind = ReaderKind::group;
  s.reader.group_ns = 100; // a look at edge 4 reads from edge 6 on
  on_oracle_and_board(s, [&](const Outcome& o) {
    REQUIRE(timestamps(o) == Timestamps{2}); // 0 and 1 go at edges 4 and 5, 3 finds 2 being started at edge 6
    CHECK(o.frames[0].read_end == edge(6 + read_edges));
    CHECK(o.losses == Losses{{0, 0, LossCause::frame_lost, edge(4)},
                             {0, 1, LossCause::frame_lost, edge(5)},
                             {0, 3, LossCause::frame_lost, edge(6)}});
  });
}

TEST_CASE("a frame whose reading ends makes no room at that edge, and cannot be the oldest that is dropped") {
  const std::int64_t that_edge = first_read_end / edge(1);
  for (const auto policy : {WhenFull::drop_newest, WhenFull::drop_oldest})
    for (const std::int64_t later : {0, 1}) {
      DYNAMIC_SECTION(word(policy) << ", " << later << " edges later") {
        Scenario s{fastest()};
        s.ecb.frame_fifo_frames = 1;
        s.ecb.frame_fifo_full = policy;
        s.pbx.word_ns = read_edges * 50 / 3;
        s.strobe(0, edge(0)).strobe(0, edge(that_edge + later - to_push));
        on_oracle_and_board(s, [&](const Outcome& o) {
          CHECK(o.counts.frames_lost == (later == 0 ? 1 : 0));
          CHECK(o.frames.front().read_end == first_read_end);
          CHECK(o.frames.front().frame.timestamp == 0);
        });
      }
    }
}

TEST_CASE("a full frame FIFO with policy stall stalls the builder until the edge after a frame has left") {
  on_oracle_and_board(slow_reader(1, WhenFull::stall), [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 1, 2, 3});
    Times expected{first_read_end};
    while (expected.size() < 4) // pushed an edge after the other has left, read from the next on
      expected.push_back(expected.back() + edge(1) + edge(1) + edge(read_edges));
    CHECK(read_ends(o) == expected);
    CHECK(o.counts.frames_lost == 0);
    CHECK(o.counts.peak_frame_fifo == 1);
    CHECK_FALSE(o.counts.first_overrun);
  });
}

TEST_CASE("a builder that was held takes the next entry at the edge at which it pushes") {
  // Window 0's frame is read until edge 64. Window 2's is complete at edge 5 and pushed at 65. Window 4's entry fills
  // the strobe-vector FIFO until 65: a window that ends at 65 is lost, one that ends at 66 is not.
  const std::int64_t push = first_read_end / edge(1) + 1;
  for (const std::int64_t end : {push - 1, push, push + 1}) {
    DYNAMIC_SECTION("a window ends at edge " << end) {
      Scenario s{fastest()};
      s.ecb.frame_fifo_frames = 1;
      s.ecb.frame_fifo_full = WhenFull::stall;
      s.ecb.vector_fifo_entries = 1;
      s.pbx.word_ns = read_edges * 50 / 3;
      s.strobe(0, edge(0)).strobe(0, edge(2)).strobe(0, edge(4)).strobe(0, edge(end - 1));
      on_oracle_and_board(s, [&](const Outcome& o) { CHECK(o.counts.windows_lost == (end <= push ? 1 : 0)); });
    }
  }
}

// --- timestamps ---

TEST_CASE("the timestamp is the window's number modulo two to its bits, in as many words as it needs") {
  for (const std::int64_t bits : {1, 3, 32, 33, 64}) {
    DYNAMIC_SECTION(bits << " bits") {
      const std::int64_t k = (std::int64_t{1} << 32) + 13; // 215 s
      Scenario s{fastest()};
      s.ecb.timestamp_bits = bits;
      s.strobe(0, edge(k));
      const std::uint64_t modulus = bits == 64 ? 0 : std::uint64_t{1} << bits;
      const auto number = static_cast<std::uint64_t>(k);
      const std::int64_t words = 1 + 1 + (bits > 32 ? 2 : 1);
      on_oracle_and_board(s, [&](const Outcome& o) {
        CHECK(timestamps(o) == Timestamps{modulus == 0 ? number : number % modulus});
        CHECK(read_ends(o) == Times{edge(k + to_push + 1) + Time{s.pbx.word_ns} * words});
      });
    }
  }
}

TEST_CASE("the board builds an empty frame at each wrap of the timestamp while strobes are still expected") {
  Scenario s{fastest()};
  s.ecb.timestamp_bits = 2;
  s.ecb.wrap_frames = true;
  s.strobe(0, edge(0)).strobe(0, edge(9)); // wraps end windows 3, 7, and, after all strobes, 11
  on_oracle_and_board(s, [&](const Outcome& o) {
    REQUIRE(timestamps(o) == Timestamps{0, 3, 3, 9 % 4});
    CHECK(o.frames[1].frame.vector == 0);
    CHECK(o.frames[2].frame.vector == 0);
    CHECK(o.counts.frames_built == 4);
    CHECK(o.counts.merged == 0);
    CHECK(o.counts.strobes == 2);
  });
}

TEST_CASE("a strobe just after the end of a window that wraps still makes it tell, one before does not") {
  for (const bool after : {false, true}) {
    DYNAMIC_SECTION((after ? "after" : "before")) {
      Scenario s{fastest()};
      s.ecb.timestamp_bits = 2;
      s.ecb.wrap_frames = true;
      s.strobe(0, edge(0)).strobe(0, after ? edge(4) : edge(3) - 1_ps); // window 3 ends at edge 4
      on_oracle_and_board(s, [&](const Outcome& o) {
        CHECK(timestamps(o) == (after ? Timestamps{0, 3, 0} : Timestamps{0, 2}));
      });
    }
  }
}

TEST_CASE("silence is told of up to the program's end, a wrap at that very time included") {
  for (const auto& [end, expected] : {std::pair{edge(0), Timestamps{0}},
                                      {edge(4) - 1_ps, {0}},
                                      {edge(4), {0, 3}},
                                      {edge(12) - 1_ps, {0, 3, 3}},
                                      {edge(12), {0, 3, 3, 3}}}) {
    DYNAMIC_SECTION("the program ends at " << end.ps() << " ps") {
      Scenario s{fastest()};
      s.ecb.timestamp_bits = 2; // windows 3, 7 and 11 wrap; they end at edges 4, 8 and 12
      s.ecb.wrap_frames = true;
      s.program_end = end;
      s.strobe(0, edge(0));
      on_oracle_and_board(s, [&, &expected = expected](const Outcome& o) { CHECK(timestamps(o) == expected); });
    }
  }
}

TEST_CASE("after the program's end a wrap is told of only before a strobe that is known") {
  Scenario s{fastest()};
  s.ecb.timestamp_bits = 2;
  s.ecb.wrap_frames = true;
  s.program_end = edge(5);
  s.strobe(0, edge(0)).strobe(0, edge(10)); // wraps at edges 4, 8, and, after all, 12
  on_oracle_and_board(s, [&](const Outcome& o) { CHECK(timestamps(o) == Timestamps{0, 3, 3, 10 % 4}); });
}

TEST_CASE("a window that wraps and has a strobe makes one frame") {
  Scenario s{fastest()};
  s.ecb.timestamp_bits = 2;
  s.ecb.wrap_frames = true;
  s.strobe(0, edge(3)).strobe(0, edge(5));
  on_oracle_and_board(s, [&](const Outcome& o) { CHECK(timestamps(o) == Timestamps{3, 1}); });
}

TEST_CASE("an empty entry that finds no room is a window lost without data") {
  Scenario s{fastest()};
  s.ecb.timestamp_bits = 1; // windows 1, 3, 5, ... wrap
  s.ecb.wrap_frames = true;
  s.ecb.builder_cycles = 60;
  s.ecb.vector_fifo_entries = 1;
  s.strobe(0, edge(0)).strobe(0, edge(20));
  // Window 0 is taken at edge 2: window 1 finds it there. Window 3 waits until edge 62: 5, 7, ..., 19 and 20 are lost.
  on_oracle_and_board(s, [&](const Outcome& o) {
    CHECK(timestamps(o) == Timestamps{0, 1});
    CHECK(o.counts.windows_lost == 1 + (19 - 5) / 2 + 1 + 1);
    CHECK(o.counts.discarded == 1);
    CHECK(o.losses == Losses{{0, 1, LossCause::window_lost, edge(21)}});
  });
}

TEST_CASE("a frame is stamped, and longer, if one of its words is flagged") {
  Scenario s{fastest()};
  s.ecb.inputs = 3;
  s.ecb.timestamp_policy = TimestampPolicy::on_request;
  s.strobes(0, edge(0), edge(100), {1, 2}, true); // the first datum of a burst is flagged
  s.strobe(1, edge(0));                           // in the same frame
  s.strobe(2, edge(200), 3);
  on_oracle_and_board(s, [&](const Outcome& o) {
    REQUIRE(o.frames.size() == 3);
    CHECK(o.frames[0].frame.stamped);
    CHECK(o.frames[0].frame.vector == 3);
    for (const std::size_t i : {1, 2}) {
      CHECK_FALSE(o.frames[i].frame.stamped);
      CHECK(o.frames[i].frame.timestamp == 0);
    }
    const Time word = Time{s.pbx.word_ns};
    CHECK(read_ends(o) ==
          Times{edge(to_push + 1) + word * 3, edge(100 + to_push + 1) + word * 2, edge(200 + to_push + 1) + word * 2});
  });
}

TEST_CASE("a word is flagged if any of its data is, not its next ones") {
  Scenario s{fastest()};
  s.port.width_bits = 16;
  s.ecb.accumulate_bits = 32;
  s.ecb.timestamp_policy = TimestampPolicy::on_request;
  s.strobe(0, edge(0), 1);
  s.strobe(0, edge(1), 2, true);
  s.strobes(0, edge(2), edge(1), {3, 4});
  on_oracle_and_board(s, [&](const Outcome& o) {
    REQUIRE(o.frames.size() == 2);
    CHECK(o.frames[0].frame.stamped);
    CHECK(o.frames[0].frame.timestamp == 1);
    CHECK_FALSE(o.frames[1].frame.stamped);
  });
}

// --- formats and reading ---

TEST_CASE("a frame has the data words that inputs and width need") {
  struct Format {
    std::int64_t inputs;
    std::int64_t width;
    std::int64_t accumulate;
    std::int64_t data_words;
  };
  for (const Format& format :
       {Format{1, 4, 0, 1}, Format{8, 4, 0, 1}, Format{9, 4, 0, 2}, Format{16, 4, 0, 2}, Format{32, 4, 0, 4},
        Format{5, 8, 0, 2}, Format{3, 16, 0, 2}, Format{32, 32, 0, 32}, Format{3, 4, 32, 3}, Format{3, 32, 32, 3}}) {
    DYNAMIC_SECTION(format.inputs << " inputs, " << format.width << " bits, " << format.accumulate << " accumulated") {
      Scenario s{fastest()};
      s.ecb.inputs = format.inputs;
      s.port.width_bits = format.width;
      s.ecb.accumulate_bits = format.accumulate;
      const auto last = static_cast<std::uint32_t>(format.inputs - 1);
      const std::uint32_t all_ones = format.width == 32 ? ~0u : (1u << format.width) - 1;
      for (std::int64_t bits = 0; bits < std::max<std::int64_t>(format.accumulate, 1); bits += format.width)
        s.strobe(last, edge(0), all_ones);
      on_oracle_and_board(s, [&](const Outcome& o) {
        REQUIRE(o.frames.size() == 1);
        CHECK(o.frames[0].frame.vector == 1u << last);
        CHECK(o.frames[0].frame.data[last] == (format.accumulate == 32 ? ~0u : all_ones));
        CHECK(o.frames[0].read_end == edge(to_push + 1) + Time{s.pbx.word_ns} * (format.data_words + 1 + 1));
      });
    }
  }
}

TEST_CASE("data wider than a byte come least significant byte first, and the high half of a 4-bit datum is ignored") {
  for (const std::int64_t width : {4, 16, 32}) {
    DYNAMIC_SECTION(width << " bits") {
      Scenario s{fastest()};
      s.port.width_bits = width;
      s.strobe(0, edge(0), 0xFEDC'BA98);
      const std::uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
      on_oracle_and_board(s, [&](const Outcome& o) { CHECK(o.frames.at(0).frame.data[0] == (0xFEDC'BA98 & mask)); });
    }
  }
}

TEST_CASE("a frame ends at the first edge at or after its last word, not at the sum of rounded words") {
  Scenario s{EcbParams{}};
  s.pbx.word_ns = 222;
  s.strobe(0, 0_ns);
  // Window end 16, taken 17, pushed 25, read from edge 26: 4 words of 222 ns are 17.76 edges.
  on_oracle_and_board(s, [&](const Outcome& o) { CHECK(read_ends(o) == Times{edge(16 + 1 + 8 + 1 + 18)}); });
}
