// SPDX-License-Identifier: BSD-3-Clause
// Spec sec. 2: the frame builder's pace, node FIFO overruns and lost windows. Both need 200 ns windows, which are
// shorter than the builder's 8 cycles.
#include "tests/monitors/hypermon/core/one_board.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

EcbParams fast_windows(std::int64_t node_fifo, std::int64_t vector_fifo) {
  EcbParams p;
  p.window_ns = 200;
  p.node_fifo_entries = node_fifo;
  p.vector_fifo_entries = vector_fifo;
  return p;
}

} // namespace

TEST_CASE("a lone window is popped one edge after its end, built 8 cycles later, and read from the edge after that") {
  for (std::int64_t k : {0, 7}) {
    OneBoard b;
    b.strobe(0, window * k + 1_ps);
    const Time built = window * (k + 1) + to_pop + build;
    b.board.advance(built);
    CHECK(b.board.counts().frames_built == 0);
    b.board.advance(built + 1_ps);
    CHECK(b.board.counts().frames_built == 1);
    CHECK(b.finish().at(0).read_end == built + cycles(1) + frame_time);
  }
}

TEST_CASE("the builder takes the next entry at the edge at which it completes a frame") {
  OneBoard b(fast_windows(64, 64));
  for (int k = 0; k < 5; ++k) b.strobe(0, 200_ns * k);
  const Time first_pop = 200_ns + to_pop;
  for (int j = 0; j < 5; ++j) {
    b.board.advance(first_pop + build * (j + 1));
    CHECK(b.board.counts().frames_built == static_cast<std::uint64_t>(j));
    b.board.advance(first_pop + build * (j + 1) + 1_ps);
    CHECK(b.board.counts().frames_built == static_cast<std::uint64_t>(j + 1));
  }
}

TEST_CASE("a nibble that finds its node FIFO full is lost, and one that comes with the pop's edge is not") {
  // A node FIFO of one: its nibble leaves at the pop of window 0, one edge after 200 ns.
  const Time pop = 200_ns + to_pop;
  for (const bool late : {false, true}) {
    OneBoard b(fast_windows(1, 64));
    b.strobe(0, 0_ns, 1);
    b.strobe(0, late ? pop : pop - 1_ps, 2); // window 1
    const auto frames = b.finish();
    CHECK(b.board.counts().node_overruns == (late ? 0 : 1));
    CHECK(frames.size() == (late ? 2 : 1));
    if (!late) CHECK(b.losses == std::vector<Loss>{{0, 1, LossCause::node_overrun, pop - 1_ps}});
  }
}

TEST_CASE("after a node overrun the bit stays clear and a later strobe of the same window tries again") {
  const Time pop = 200_ns + to_pop;
  OneBoard b(fast_windows(1, 64));
  b.strobe(0, 0_ns, 1);
  b.strobe(0, pop - 1_ps, 2);
  b.strobe(0, pop, 3);
  b.strobe(0, pop + 1_ps, 4);
  const auto frames = b.finish();
  REQUIRE(frames.size() == 2);
  CHECK(frames[1].frame.data[0] == 3);
  CHECK(b.board.counts().node_overruns == 1);
  CHECK(b.board.counts().aliasing == 1);
}

TEST_CASE(
    "a window that finds the strobe-vector FIFO full is lost with its newest nibbles, data and vectors keep step") {
  // A builder of 8 cycles takes an entry every 400 ns, windows end every 200 ns. With one place: window 0 enters
  // at 200 ns and leaves at 250; window 1 enters at 400 and leaves at 250 + 400 = 650; window 2 ends at 600: full;
  // window 3 ends at 800: enters.
  OneBoard b(fast_windows(64, 1));
  for (int k = 0; k < 4; ++k) {
    b.strobe(2, 200_ns * k, static_cast<std::uint8_t>(k + 1));
    b.strobe(11, 200_ns * k + 1_ns, static_cast<std::uint8_t>(k + 5));
  }
  const auto frames = b.finish();
  REQUIRE(frames.size() == 3);
  const std::uint32_t stamps[] = {0, 1, 3};
  for (std::size_t j = 0; j < 3; ++j) {
    CHECK(frames[j].frame.timestamp == stamps[j]);
    CHECK(frames[j].frame.data[2] == stamps[j] + 1);
    CHECK(frames[j].frame.data[11] == stamps[j] + 5);
  }
  CHECK(b.board.counts().windows_lost == 1);
  CHECK(b.board.counts().discarded == 2);
  CHECK(b.losses == std::vector<Loss>{{2, 2, LossCause::window_lost, 600_ns}, {11, 2, LossCause::window_lost, 600_ns}});
}

TEST_CASE("a vector that leaves the FIFO at the edge at which a window ends makes no room for that window's vector") {
  // As above with 9 cycles a frame: window 1 would leave at 250 + 450 = 700. With 7 cycles it leaves at 600, the
  // very end of window 2, which is lost; with 6, at 550, it is not.
  for (const std::int64_t builder_cycles : {6, 7}) {
    EcbParams p = fast_windows(64, 1);
    p.builder_cycles = builder_cycles;
    OneBoard b(p);
    for (int k = 0; k < 3; ++k) b.strobe(0, 200_ns * k);
    b.finish();
    CHECK(b.board.counts().windows_lost == (250_ns + cycles(builder_cycles) < 600_ns ? 0 : 1));
  }
}

TEST_CASE("at 800 and 400 ns the builder is as fast as the windows, at 200 ns it is not") {
  for (const std::int64_t window_ns : {800, 400, 200}) {
    EcbParams p;
    p.window_ns = window_ns;
    OneBoard b(p);
    for (int k = 0; k < 1000; ++k) b.strobe(0, Time::from_ns(window_ns * k));
    b.finish();
    const bool keeps_up = window_ns * 1000 >= build.ps();
    CHECK((b.board.counts().windows_lost + b.board.counts().node_overruns == 0) == keeps_up);
  }
}
