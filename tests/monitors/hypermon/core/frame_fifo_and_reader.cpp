// SPDX-License-Identifier: BSD-3-Clause
// Spec sec. 3: the frame FIFO and its readers.
#include "tests/monitors/hypermon/core/one_board.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

ReaderParams group(std::int64_t group_ns, std::int64_t frame_ns, std::int64_t stall_ns, std::int64_t every) {
  ReaderParams r;
  r.kind = ReaderKind::group;
  r.group_ns = group_ns;
  r.frame_ns = frame_ns;
  r.stall_ns = stall_ns;
  r.stall_every_frames = every;
  return r;
}

std::vector<Time> ends(const std::vector<DeliveredFrame>& frames) {
  std::vector<Time> t;
  for (const auto& f : frames) t.push_back(f.read_end);
  return t;
}

} // namespace

TEST_CASE("an ideal reader reads frames back to back while any waits") {
  OneBoard b;
  strobe_windows(b, 4);
  const Time first = built(0) + cycles(1) + frame_time;
  CHECK(ends(b.finish()) ==
        std::vector<Time>{first, first + frame_time, first + frame_time * 2, first + frame_time * 3});
  CHECK(b.board.counts().end == first + frame_time * 3);
}

TEST_CASE("a frame built at the edge at which the reader finishes is begun one edge later") {
  for (const std::int64_t shift : {-50, 0, 50}) {
    EcbParams p;
    p.window_ns = 50; // each edge is a window's end, so that a frame can be built at any edge
    OneBoard b(p);
    const Time end = cycles(1) + to_pop + build + cycles(1) + frame_time;
    const Time arrives = end + Time::from_ns(shift);
    b.strobe(0, 0_ns);
    b.strobe(0, arrives - build - to_pop - cycles(1));
    CHECK(ends(b.finish()).at(1) == std::max(end, arrives + cycles(1)) + frame_time);
  }
}

TEST_CASE("a frame is lost when the 1025th arrives before the first has left") {
  // Frames every 800 ns against 3200 ns: long before the FIFO is full the reader is busy without a pause, and has
  // removed a frame at each of its ends. The first frame to find 1024 inside follows from that alone.
  const auto depth = static_cast<int>(EcbParams{}.frame_fifo_frames);
  int first_lost = 0;
  for (int k = 0;; ++k) {
    const Time first_end = built(0) + cycles(1) + frame_time;
    const std::int64_t left_before = built(k) <= first_end ? 0 : (built(k) - first_end - 1_ps) / frame_time + 1;
    if (k - left_before == depth) {
      first_lost = k;
      break;
    }
  }
  OneBoard fits, overruns;
  strobe_windows(fits, first_lost);
  strobe_windows(overruns, first_lost + 1);
  fits.finish();
  overruns.finish();
  CHECK(fits.board.counts().frames_lost == 0);
  CHECK_FALSE(fits.board.counts().first_overrun);
  CHECK(fits.board.counts().peak_frame_fifo == static_cast<std::uint64_t>(EcbParams{}.frame_fifo_frames));
  CHECK(overruns.board.counts().frames_lost == 1);
  CHECK(overruns.board.counts().first_overrun == built(first_lost));
  CHECK(overruns.losses ==
        std::vector<Loss>{{0, static_cast<std::uint64_t>(first_lost), LossCause::frame_lost, built(first_lost)}});
}

TEST_CASE("without a reader the 1025th frame is lost, however late the first word is read") {
  OneBoard b({}, {}, {}, DrainedBy::bus_master);
  const int depth = 1024;
  strobe_windows(b, depth + 2);
  b.board.advance(built(depth));
  CHECK(b.board.counts().frames_lost == 0);
  CHECK(b.board.counts().frames_in_fifo == 1024);
  b.board.advance(built(depth) + 1_ps);
  CHECK(b.board.counts().frames_lost == 1);
}

TEST_CASE("a frame that leaves at the edge of an arrival makes no room for it") {
  for (const bool same_edge : {true, false}) {
    EcbParams p;
    p.window_ns = 50;
    p.frame_fifo_frames = 1;
    OneBoard b(p);
    const Time first_built = cycles(1) + to_pop + build;
    const Time leaves = first_built + cycles(1) + frame_time;
    const Time arrives = same_edge ? leaves : leaves + cycles(1);
    b.strobe(0, 0_ns);
    b.strobe(0, arrives - build - to_pop - cycles(1));
    b.finish();
    CHECK(b.board.counts().frames_lost == (same_edge ? 1 : 0));
  }
}

TEST_CASE("each word ends at the first edge at or after its multiple of the word time") {
  for (const std::int64_t word_ns : {222, 500, 800}) {
    PbxParams pbx;
    pbx.word_ns = word_ns;
    OneBoard b({}, {}, pbx);
    b.strobe(0, 0_ns);
    const std::int64_t edges = (4 * word_ns + 49) / 50;
    CHECK(b.finish().at(0).read_end == built(0) + cycles(1) + cycles(edges));
  }
}

TEST_CASE("a group reader spends time before each group and after each frame, then polls again") {
  OneBoard b({}, group(1000, 300, 0, 0));
  strobe_windows(b, 3);
  // First poll: one frame. When it has been read, the other two wait and form one group.
  const Time look = built(0) + cycles(1);
  const Time end0 = look + 1000_ns + frame_time;
  const Time look1 = end0 + 300_ns;
  REQUIRE(built(2) < look1);
  const Time end1 = look1 + 1000_ns + frame_time;
  CHECK(ends(b.finish()) == std::vector<Time>{end0, end1, end1 + 300_ns + frame_time});
}

TEST_CASE("status and count are read one after the other where that takes time, and idle polls follow one another") {
  const Time read = 700_ns;
  OneBoard b({}, group(1000, 300, 0, 0), {.register_read_ns = 690}); // whole clock periods
  strobe_windows(b, 3);
  const auto first_poll_after = [read](Time from, Time t) { return from + read * ((t - from) / read + 1); };
  // The frame of the second window comes between the reads of status and count: it belongs to the group.
  const Time poll = first_poll_after(0_ps, built(0));
  REQUIRE(poll < built(1));
  REQUIRE(built(1) < poll + read);
  const Time end0 = poll + read * 2 + 1000_ns + frame_time;
  const Time end1 = end0 + 300_ns + frame_time;
  const Time end2 = end1 + 300_ns + read * 2 + 1000_ns + frame_time;
  REQUIRE(built(2) < end1 + 300_ns);
  // Polls go on from the end of the last frame's cost.
  b.strobe(0, window * 100);
  const Time late_poll = first_poll_after(end2 + 300_ns, built(100));
  CHECK(ends(b.finish()) == std::vector<Time>{end0, end1, end2, late_poll + read * 2 + 1000_ns + frame_time});
}

TEST_CASE("the first word of a frame begins a burst, which takes its own time") {
  PbxParams pbx;
  pbx.burst_start_ns = 130;
  OneBoard b({}, {}, pbx);
  strobe_windows(b, 2);
  const Time end0 = built(0) + cycles(1) + frame_time + 150_ns;
  CHECK(ends(b.finish()) == std::vector<Time>{end0, end0 + frame_time + 150_ns});
}

TEST_CASE("the group reader polls again after its write that resets the board, the ideal reader at once") {
  for (const bool is_ideal : {true, false}) {
    const ReaderParams reader = is_ideal ? ReaderParams{} : group(0, 0, 0, 0);
    OneBoard b({}, reader, {.register_write_ns = 50'010});
    b.board.write_control(control_bits::reset, 1_us);
    b.strobe(0, 2_us);
    const Time poll = is_ideal ? 1_us + built(1) + cycles(1) : 1_us + 50'050_ns;
    CHECK(ends(b.finish()) == std::vector<Time>{poll + frame_time});
  }
}

TEST_CASE("a group counts what waits before the look, not what arrives at it") {
  // The group's first look is one edge after built(0); one frame waits. A frame that arrives during the group's
  // costs belongs to the next group and pays again.
  OneBoard b({}, group(5000, 0, 0, 0));
  strobe_windows(b, 2);
  const Time end0 = built(0) + cycles(1) + 5000_ns + frame_time;
  CHECK(ends(b.finish()) == std::vector<Time>{end0, end0 + 5000_ns + frame_time});
}

TEST_CASE("a group reader stalls after the group that completes the given number of frames") {
  for (const std::int64_t every : {2, 3, 4}) {
    OneBoard b({}, group(0, 0, 100000, every));
    strobe_windows(b, 3);
    b.strobe(0, window * 1000);
    // Groups of 1 and 2 frames: the count reaches 2 and 3 with the second group, 4 only with the last frame.
    const auto frames = b.finish();
    const Time second_group_end = built(0) + cycles(1) + frame_time * 3;
    CHECK(frames.at(2).read_end == second_group_end);
    CHECK(frames.at(3).read_end == built(1000) + cycles(1) + frame_time);
  }
  // A frame that comes during the stall waits for its end.
  for (const std::int64_t every : {2, 4}) {
    OneBoard b({}, group(0, 0, 100000, every));
    strobe_windows(b, 3);
    b.strobe(0, window * 20);
    const Time second_group_end = built(0) + cycles(1) + frame_time * 3;
    const Time look = every == 2 ? second_group_end + 100000_ns : built(20) + cycles(1);
    CHECK(b.finish().at(3).read_end == look + frame_time);
  }
}

TEST_CASE("a group reader without costs is the ideal reader") {
  OneBoard ideal, free_group({}, group(0, 0, 0, 0));
  for (OneBoard* b : {&ideal, &free_group}) {
    strobe_windows(*b, 1500); // overruns too
    strobe_windows(*b, 10, 9000);
  }
  CHECK(ideal.finish() == free_group.finish());
  CHECK(ideal.board.counts() == free_group.board.counts());
  CHECK(ideal.losses == free_group.losses);
  CHECK(ideal.board.counts().frames_lost > 0);
}

TEST_CASE("the board refuses what would change the past") {
  OneBoard b;
  b.strobe(0, 10_us);
  b.board.advance(20_us);
  CHECK_THROWS(b.strobe(1, 20_us - 1_ps));
  CHECK_NOTHROW(b.strobe(1, 20_us));
  CHECK_THROWS(b.strobe(1, 20_us - 1_ps));
  CHECK_THROWS(b.board.advance(19_us));
  CHECK_THROWS(b.strobe(16, 30_us));
}
