// SPDX-License-Identifier: BSD-3-Clause
// A board whose reader has a drain, or is stopped; power-on garbage; what a reset loses (spec secs. 3 and 6).
#include "tests/monitors/hypermon/core/one_board.hpp"
#include <map>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

/// A drain that returns prepared outcomes, and records its calls.
struct Told : Drain {
  Outcome always;
  std::map<std::size_t, Outcome> of_frame;
  std::vector<std::pair<Time, Time>> busy_cpu; // from, until
  std::vector<Time> ends;
  std::vector<std::size_t> words;
  Outcome frame_read(Time end, const EventFrame&, std::size_t n) override {
    ends.push_back(end);
    words.push_back(n);
    const auto own = of_frame.find(ends.size() - 1);
    return own == of_frame.end() ? always : own->second;
  }
  Time ready(Time edge) override {
    for (const auto& [from, until] : busy_cpu)
      if (edge >= from && edge < until) return until;
    return edge;
  }
};

} // namespace

TEST_CASE("a busy drain program starts its next frame at the first clock edge after its work and the reader's cost") {
  for (const std::int64_t own_ns : {0, 300}) {
    ReaderParams reader;
    reader.kind = ReaderKind::group;
    reader.frame_ns = own_ns;
    OneBoard b({}, reader);
    Told drain;
    drain.of_frame[0].busy = 1001_ns;
    drain.of_frame[1].busy = 50_ns;
    b.board.drain_through(&drain);
    strobe_windows(b, 4);
    b.finish();
    const Time own = Time::from_ns(own_ns);
    const Time first = built(0) + cycles(1) + frame_time;
    const Time second = first + own + 1050_ns + frame_time;
    const Time third = second + own + 50_ns + frame_time;
    CHECK(drain.ends == std::vector<Time>{first, second, third, third + own + frame_time});
    CHECK(drain.words == std::vector<std::size_t>(4, 4));
  }
}

TEST_CASE("a CPU that is interrupted begins its frame at the first edge after the interrupt") {
  OneBoard b;
  Told drain;
  const Time look = built(0) + cycles(1);
  drain.busy_cpu = {{look, look + 777_ns}};
  b.board.drain_through(&drain);
  strobe_windows(b, 2);
  b.finish();
  const Time first = look + 800_ns + frame_time;
  CHECK(drain.ends == std::vector<Time>{first, first + frame_time}); // an interrupt costs nothing during a frame
}

TEST_CASE("a drain program that holds reads no frame until it is resumed, and continues at the first edge after that") {
  for (const std::int64_t at_ns : {20'000, 20'001, 20'050}) {
    OneBoard b;
    Told drain;
    drain.of_frame[0].hold = true;
    b.board.drain_through(&drain);
    strobe_windows(b, 3);
    const Time first = built(0) + cycles(1) + frame_time;
    b.board.advance(15_us);
    CHECK(drain.ends == std::vector<Time>{first});
    CHECK(b.board.counts().frames_in_fifo == 2);
    CHECK(b.board.earliest_read(1) == Time::never());
    const Time at = Time::from_ns(at_ns);
    b.board.advance(20_us);
    b.board.resume_reader(at);
    b.finish();
    const Time second = edge_at_or_after(at) + frame_time;
    CHECK(drain.ends == std::vector<Time>{first, second, second + frame_time});
  }
}

TEST_CASE("a reset does not resume a drain program that holds") {
  OneBoard b;
  Told drain;
  drain.of_frame[0].hold = true;
  b.board.drain_through(&drain);
  strobe_windows(b, 3);
  b.board.write_control(control_bits::reset, 15_us);
  b.strobe(0, 16_us);
  b.board.advance(30_us);
  CHECK(drain.ends.size() == 1);
  b.board.resume_reader(40_us);
  b.finish();
  CHECK(drain.ends.at(1) == 40_us + frame_time);
}

TEST_CASE("frames that do not fit into memory are read but not delivered, and their data are reported as lost") {
  OneBoard b;
  Told drain;
  drain.of_frame[1].kept = false;
  b.board.drain_through(&drain);
  strobe_windows(b, 3);
  b.strobe(7, window * 2, 1); // with the third
  b.strobe(7, window * 4, 1);
  drain.of_frame[2].kept = false;
  const auto frames = b.finish();
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].frame.timestamp == 0);
  CHECK(frames[1].frame.timestamp == 4);
  CHECK(b.board.counts().drained == 4);
  CHECK(b.losses == std::vector<Loss>{{0, 1, LossCause::memory_full, drain.ends[1]},
                                      {0, 2, LossCause::memory_full, drain.ends[2]},
                                      {7, 0, LossCause::memory_full, drain.ends[2]}});
}

TEST_CASE("a bus error in one word loses its frame, whether frames are read as a whole or word by word") {
  EcbParams ecb;
  ecb.timestamp_policy = TimestampPolicy::on_request; // frames of 3 and of 4 words
  FaultParams faults;
  faults.pbx_error_probability = 0.05;
  OneBoard b(ecb);
  Told drain;
  b.board.drain_through(&drain);
  b.board.fail_reads(PbxFaults(faults));
  PbxFaults by_words(faults);
  constexpr int frames = 500;
  std::vector<Loss> expected;
  std::size_t read = 0;
  for (int k = 0; k < frames; ++k) {
    const Time t = 10_us * k;
    const bool flagged = k % 3 == 0;
    const std::uint8_t datum = 1;
    b.board.write({2, t, 0_ps, {&datum, 1}, flagged});
    bool failed = false;
    const int words = flagged ? 4 : 3;
    for (int w = 0; w < words; ++w) failed |= by_words.next_word_fails();
    const Time end = window * (t / window + 1) + to_pop + build + cycles(1) + word_time * words;
    if (failed)
      expected.push_back({2, static_cast<std::uint64_t>(k), LossCause::bus_error, end});
    else
      ++read;
  }
  b.finish();
  CHECK(b.losses == expected);
  CHECK(expected.size() > frames / 20);
  CHECK(drain.ends.size() == read);
  CHECK(b.board.counts().drained == frames);
}

TEST_CASE("a reader that stops finishes its frame, and frames lost during the pause have the cause reader_stopped") {
  EcbParams ecb;
  ecb.frame_fifo_frames = 2;
  OneBoard b(ecb);
  const Time first_end = built(0) + cycles(1) + frame_time;
  const Time stop = built(0) + cycles(2); // within the first frame
  const Time until = 20_us;
  b.board.reader().stop(stop, until - stop);
  const int n = 30;
  strobe_windows(b, n);
  const auto frames = b.finish();
  CHECK(frames.at(0).read_end == first_end);
  CHECK(frames.at(1).read_end == until + frame_time);
  CHECK(frames.at(2).read_end == until + frame_time * 2);
  std::size_t stopped = 0;
  std::size_t overrun = 0;
  for (const Loss& loss : b.losses) {
    CHECK(loss.cause == (loss.time < until ? LossCause::reader_stopped : LossCause::frame_lost));
    ++(loss.time < until ? stopped : overrun);
  }
  CHECK(stopped > 0);
  CHECK(overrun > 0);
  CHECK(stopped + overrun == b.board.counts().frames_lost);
}

TEST_CASE("a reader stops from its first instant on to before its last") {
  for (const std::int64_t shift : {-50, 0, 50}) {
    const Time look = built(0) + cycles(1);
    for (const bool at_begin : {true, false}) {
      OneBoard b;
      const Time edge = look + Time::from_ns(shift);
      if (at_begin)
        b.board.reader().stop(edge, 10_us);
      else
        b.board.reader().stop(1_ns, edge - 1_ns);
      b.strobe(0, 0_ns);
      const Time begins = at_begin ? (look < edge ? look : edge + 10_us) : std::max(look, edge);
      CHECK(b.finish().at(0).read_end == begins + frame_time);
    }
  }
}

TEST_CASE("power-on garbage is read first, belongs to no node, and is at most as many frames as the FIFO holds") {
  EcbParams ecb;
  ecb.frame_fifo_frames = 3;
  OneBoard b(ecb);
  std::vector<EventFrame> garbage(5, frame_of(0b101));
  b.board.power_on_with(garbage);
  CHECK(b.board.counts().frames_in_fifo == 3);
  b.strobe(1, 20_us);
  const auto frames = b.finish();
  REQUIRE(frames.size() == 3 + 1);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(frames[i].frame.vector == 0b101);
    CHECK(frames[i].read_end == cycles(1) + frame_time * static_cast<std::int64_t>(i + 1)); // edge 0 is no edge's after
  }
  CHECK(b.board.garbage_drained() == 3 * 2);
  CHECK(b.board.counts().frames_built == 1);
  CHECK(b.losses.empty());
}

TEST_CASE("lost garbage frames do not count as lost data") {
  EcbParams ecb;
  ecb.frame_fifo_frames = 2;
  for (const bool by_reset : {true, false}) {
    ecb.frame_fifo_full = by_reset ? WhenFull::drop_newest : WhenFull::drop_oldest;
    OneBoard b(ecb);
    b.board.power_on_with(std::vector<EventFrame>(2, frame_of(1)));
    if (by_reset) {
      b.board.write_control(control_bits::reset, 1_us);
    } else {
      b.board.reader().stop(1_ns, 10_us);
      b.strobe(0, 0_ns); // pushes a frame of garbage out
    }
    b.strobe(0, 30_us);
    b.finish();
    CHECK(b.losses.empty());
    CHECK(b.board.garbage_drained() == (by_reset ? 0 : 1));
    CHECK(b.board.counts().frames_lost == (by_reset ? 0 : 1));
  }
}

TEST_CASE("a reset reports all data inside the board as lost, including those of incomplete words") {
  PortParams port;
  EcbParams ecb;
  ecb.accumulate_bits = 32;
  CaptureBoard board(port, ecb, {}, {});
  std::vector<Loss> losses;
  board.on_loss([&](const Loss& loss) { losses.push_back(loss); });
  const std::vector<std::uint8_t> data(8 + 3, 1);
  board.write({5, 0_ns, 1_us, data});
  board.advance(10_us + 1_ps);
  CHECK(board.counts().accumulating == 3);
  board.write_control(control_bits::reset, 11_us);
  std::vector<Loss> expected; // the frame of the whole word is being read
  for (std::uint64_t n = 0; n < data.size(); ++n) expected.push_back({5, n, LossCause::reset, 11_us});
  CHECK(losses == expected);
  CHECK(board.counts().accumulating == 0);
}
