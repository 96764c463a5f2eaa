// SPDX-License-Identifier: BSD-3-Clause
// The drain program (spec sec. 6): what it keeps, what it loses, what it costs; and a board whose reader has one.
#include "hw/hypermon/core/drain_program.hpp"
#include "tests/monitors/hypermon/core/one_board.hpp"
#include "tests/monitors/hypermon/core/random_bursts.hpp"
#include <cmath>
#include <map>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

constexpr std::size_t frame_words = 4;
constexpr std::int64_t frame_bytes = 4 * frame_words;

DrainParams to(Destination destination, Reduction reduction = Reduction::none) {
  DrainParams p;
  p.destination = destination;
  p.reduction = reduction;
  return p;
}

EventFrame frame_of(std::uint32_t vector) {
  EventFrame frame;
  frame.vector = vector;
  return frame;
}

struct Program : DrainProgram {
  explicit Program(const DrainParams& p, const PortParams& port = {}, std::size_t nodes = 16)
      : DrainProgram(p, FrameFormat(port, EcbParams{}), nodes * 17) {}
  /// Reads `n` prototype frames at `end`; what came of the last.
  Outcome read(Time end, std::int64_t n = 1, std::uint32_t vector = 1) {
    Outcome last;
    for (; n > 0; --n) last = frame_read(end, frame_of(vector), frame_words);
    return last;
  }
};

Time us(double microseconds) { return Time::from_ps(std::llround(microseconds * 1e6)); }

/// A block at the slower of the bus and all disks together.
Time block_time(const DrainParams& p) {
  const double rate = std::min(p.cfs_scsi_mb_per_s, p.cfs_disk_mb_per_s * static_cast<double>(p.cfs_disks));
  return us(static_cast<double>(p.cfs_block_bytes.number) / rate);
}

} // namespace

TEST_CASE("only a program that discards without a reduction is idle") {
  CHECK(DrainProgram::idle(to(Destination::discard)));
  for (const auto destination : {Destination::memory, Destination::cfs, Destination::host})
    CHECK_FALSE(DrainProgram::idle(to(destination)));
  for (const auto reduction : {Reduction::streams, Reduction::statistics})
    CHECK_FALSE(DrainProgram::idle(to(Destination::discard, reduction)));
}

TEST_CASE("memory keeps what fits, to the last byte, and loses the rest") {
  DrainParams p = to(Destination::memory);
  p.memory_bytes = 16384 + 8;
  Program program(p);
  const std::int64_t fit = p.memory_bytes.number / frame_bytes;
  const auto last = program.read(1_ms, fit);
  CHECK(last.kept);
  CHECK(last.busy == 0_ps);
  CHECK_FALSE(program.read(2_ms).kept);
  CHECK(program.frame_read(3_ms, frame_of(1), 2).kept); // 8 bytes: what is left
  CHECK_FALSE(program.frame_read(4_ms, frame_of(1), 1).kept);
  const auto& t = program.totals();
  CHECK(t.bytes_read == static_cast<std::uint64_t>((fit + 1) * frame_bytes + 8 + 4));
  CHECK(t.bytes_kept == static_cast<std::uint64_t>(p.memory_bytes.number));
  CHECK(t.bytes_lost == static_cast<std::uint64_t>(frame_bytes + 4));
  CHECK(t.peak_buffer_bytes == static_cast<std::uint64_t>(p.memory_bytes.number));
}

TEST_CASE("a full buffer makes the program wait until the disks have written a block, at the slower of bus and disks") {
  for (const std::int64_t disks : {1, 2, 7}) { // 0.75, 1.5, and the bus's 4 MB/s instead of 5.25
    CAPTURE(disks);
    DrainParams p = to(Destination::cfs);
    p.memory_bytes = 16384;
    p.cfs_disks = disks;
    Program program(p);
    const std::int64_t blocks = p.memory_bytes.number / p.cfs_block_bytes.number;
    const std::int64_t per_block = p.cfs_block_bytes.number / frame_bytes;
    const Time start = 10_ms;
    CHECK(program.read(start, blocks * per_block).busy == 0_ps); // the buffer is full to the last byte
    CHECK(program.totals().peak_buffer_bytes == static_cast<std::uint64_t>(p.memory_bytes.number));
    CHECK(program.read(start).busy == block_time(p));
    // Then there is room for the rest of a block; the second block is done as long again after the first.
    CHECK(program.read(start, per_block - 1).busy == 0_ps);
    CHECK(program.read(start + 1_us).busy == block_time(p) * 2 - 1_us);
    CHECK(program.totals().waiting == block_time(p) * 3 - 1_us);
    CHECK(program.totals().bytes_lost == 0);
    // Who comes when a block is done does not wait.
    CHECK(program.read(start + block_time(p) * 3, per_block).busy == 0_ps);
    CHECK(program.totals().waiting == block_time(p) * 3 - 1_us);
  }
}

TEST_CASE("a block that is complete while the disks are at work follows the one before") {
  DrainParams p = to(Destination::cfs);
  p.memory_bytes = 16384;
  Program program(p);
  const std::int64_t per_block = p.cfs_block_bytes.number / frame_bytes;
  const Time half = Time::from_ps(block_time(p).ps() / 2);
  program.read(0_ms, per_block);
  program.read(half, 3 * per_block);
  CHECK(program.read(block_time(p) - 1_ps).busy == 1_ps); // of the first block
  program.read(block_time(p) - 1_ps, per_block - 1);
  CHECK(program.read(block_time(p)).busy == block_time(p)); // the second: no pause after the first
}

TEST_CASE("13 interrupts for 8 KB come evenly over their blocks and take the CPU between two frames") {
  const DrainParams p = to(Destination::cfs);
  Program program(p);
  const std::int64_t per_block = p.cfs_block_bytes.number / frame_bytes;
  const Time start = 1_ms;
  const Time cost = us(p.cfs_interrupt_us.number);
  program.read(start, 2 * per_block);
  REQUIRE(p.cfs_block_bytes.number == 4096);
  std::vector<Time> times; // 6 in the first half of the 8 KB, 7 in the second
  for (int i = 1; i <= 6; ++i) times.push_back(start + Time::from_ps(block_time(p).ps() / 6 * i));
  for (int i = 1; i <= 7; ++i) times.push_back(start + block_time(p) + Time::from_ps(block_time(p).ps() / 7 * i));
  std::uint64_t taken = 0;
  for (const Time t : times) {
    CHECK(program.ready(t - 1_ps) == t - 1_ps);
    CHECK(program.totals().interrupts == taken);
    CHECK(program.ready(t) == t + cost);
    CHECK(program.totals().interrupts == ++taken);
    CHECK(program.ready(t + cost) == t + cost);
  }
  CHECK(taken == static_cast<std::uint64_t>(p.cfs_interrupts_per_8k));
  CHECK(program.ready(times.back() + 1_ms) == times.back() + 1_ms);
}

TEST_CASE("interrupts that come while one is dealt with are dealt with after it") {
  DrainParams p = to(Destination::cfs);
  p.cfs_interrupt_us = 2000; // more than a sixth of a block
  Program program(p);
  program.read(0_ms, p.cfs_block_bytes.number / frame_bytes);
  const Time first = Time::from_ps(block_time(p).ps() / 6);
  REQUIRE(first < 2_ms);
  CHECK(program.ready(first) == first + 2_ms * 6);
  CHECK(program.totals().interrupts == 6);
}

TEST_CASE("a message to the host is due when its bytes are together, and holds the program until it was sent") {
  DrainParams p = to(Destination::host);
  p.host_message_bytes = 100 + 1;
  Program program(p);
  CHECK(program.to_next_message() == p.host_message_bytes.number);
  const std::int64_t frames = (p.host_message_bytes.number + frame_bytes - 1) / frame_bytes;
  CHECK_FALSE(program.read(1_ms, frames - 1).hold);
  CHECK(program.message_due() == 0);
  CHECK(program.to_next_message() == p.host_message_bytes.number - (frames - 1) * frame_bytes);
  const auto last = program.read(1_ms);
  CHECK(last.hold);
  CHECK(last.busy == 0_ps);
  CHECK(program.message_due() == p.host_message_bytes.number);
  program.message_sent();
  CHECK(program.message_due() == 0);
  CHECK(program.to_next_message() ==
        2 * p.host_message_bytes.number - frames * frame_bytes); // the rest is in the next one
  CHECK(program.totals().messages == 1);
  CHECK(program.totals().peak_buffer_bytes == static_cast<std::uint64_t>(frames * frame_bytes));
  CHECK(program.send_time() == us(p.host_send_us.number));
}

TEST_CASE("streams keep whole bytes of each datum and its window's distance, for a cost per frame and datum") {
  for (const std::int64_t width : {4, 8, 16, 32}) {
    PortParams port;
    port.width_bits = width;
    const DrainParams p = to(Destination::memory, Reduction::streams);
    Program program(p, port);
    const auto outcome = program.read(1_ms, 1, 0b10110);
    CHECK(outcome.busy == us(p.reduction_frame_us.number) + us(p.streams_datum_us.number) * 3);
    CHECK(program.totals().bytes_kept == static_cast<std::uint64_t>(3 * ((width + 7) / 8 + 2)));
    CHECK(program.totals().bytes_read == static_cast<std::uint64_t>(frame_bytes));
    CHECK(program.totals().reducing == outcome.busy);
  }
}

TEST_CASE("statistics keep a count and a sum of each type and node per period that has ended") {
  constexpr std::int64_t nodes = 5;
  DrainParams p = to(Destination::memory, Reduction::statistics);
  p.statistics_period_ms = 10;
  Program program(p, {}, nodes);
  const std::uint64_t per_period = nodes * 17 * (4 + 4);
  CHECK(program.read(10_ms - 1_ps, 1, 0xFF).busy ==
        us(p.reduction_frame_us.number) + us(p.statistics_datum_us.number) * 8);
  CHECK(program.totals().bytes_kept == 0);
  program.read(10_ms);
  CHECK(program.totals().bytes_kept == per_period);
  program.read(20_ms - 1_ps);
  CHECK(program.totals().bytes_kept == per_period);
  program.read(40_ms); // two more in which nothing came have ended, and a third
  CHECK(program.totals().bytes_kept == 4 * per_period);
}

TEST_CASE("tables that are larger than the memory are lost, wherever they would go") {
  for (const Destination where : {Destination::memory, Destination::host, Destination::cfs}) {
    DrainParams p = to(where, Reduction::statistics);
    p.memory_bytes = 16384;
    p.statistics_period_ms = 10;
    Program program(p, {}, 16);
    const std::uint64_t per_period = 16 * 17 * (4 + 4);
    const std::uint64_t fit = 16384 / per_period;
    CHECK(program.read(10_ms).kept);
    CHECK_FALSE(program.read(10_ms * static_cast<std::int64_t>(fit + 2)).kept); // fit + 1 tables at once
    CHECK(program.totals().bytes_kept == per_period);
    CHECK(program.totals().bytes_lost == (fit + 1) * per_period);
    CHECK(program.totals().peak_buffer_bytes == per_period);
    CHECK(program.totals().waiting == 0_ps);
  }
}

TEST_CASE("a reduction comes before the wait for room") {
  DrainParams p = to(Destination::cfs, Reduction::streams);
  p.memory_bytes = 16384;
  Program program(p);
  const std::int64_t datum = 1 + 2;
  const Time cost = us(p.reduction_frame_us.number) + us(p.streams_datum_us.number) * 32;
  program.read(0_ms, p.memory_bytes.number / (32 * datum), ~0u);
  // The first block went to the disk when the frame that filled it had been reduced. A frame more is reduced as well
  // before it waits for that block's end.
  const auto outcome = program.read(1_us, 1, ~0u);
  CHECK(outcome.busy == cost + block_time(p) - 1_us);
  CHECK(program.totals().waiting == block_time(p) - 1_us);
}

// --- the board with a drain ---

namespace {

/// Does as it is told, and notes what it saw.
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

constexpr Time built(std::int64_t k) { return window * (k + 1) + to_pop + build; }
void strobe_first_windows(OneBoard& b, int n) {
  for (int k = 0; k < n; ++k) b.strobe(0, window * k, static_cast<std::uint8_t>(k));
}

} // namespace

TEST_CASE("what keeps the program busy delays its next frame to the first edge after it, with the reader's own cost") {
  for (const std::int64_t own_ns : {0, 300}) {
    ReaderParams reader;
    reader.kind = ReaderKind::group;
    reader.frame_ns = own_ns;
    OneBoard b({}, reader);
    Told drain;
    drain.of_frame[0].busy = 1001_ns;
    drain.of_frame[1].busy = 50_ns;
    b.board.drain_through(&drain);
    strobe_first_windows(b, 4);
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
  strobe_first_windows(b, 2);
  b.finish();
  const Time first = look + 800_ns + frame_time;
  CHECK(drain.ends == std::vector<Time>{first, first + frame_time}); // an interrupt costs nothing within a frame
}

TEST_CASE("a program that holds reads nothing until it is resumed, and from the first edge then") {
  for (const std::int64_t at_ns : {20'000, 20'001, 20'050}) {
    OneBoard b;
    Told drain;
    drain.of_frame[0].hold = true;
    b.board.drain_through(&drain);
    strobe_first_windows(b, 3);
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

TEST_CASE("a reset does not free a program that holds") {
  OneBoard b;
  Told drain;
  drain.of_frame[0].hold = true;
  b.board.drain_through(&drain);
  strobe_first_windows(b, 3);
  b.board.write_control(control_bits::reset, 15_us);
  b.strobe(0, 16_us);
  b.board.advance(30_us);
  CHECK(drain.ends.size() == 1);
  b.board.resume_reader(40_us);
  b.finish();
  CHECK(drain.ends.at(1) == 40_us + frame_time);
}

TEST_CASE("frames for which there is no memory are drained but not delivered, and their data lost by name") {
  OneBoard b;
  Told drain;
  drain.of_frame[1].kept = false;
  b.board.drain_through(&drain);
  strobe_first_windows(b, 3);
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

TEST_CASE(
    "bus errors cost the frames in which a word failed, by the frame as word by word, and the program sees none") {
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

TEST_CASE("a reader that stops ends its frame, begins none for so long, and what is lost meanwhile is lost to that") {
  EcbParams ecb;
  ecb.frame_fifo_frames = 2;
  OneBoard b(ecb);
  const Time first_end = built(0) + cycles(1) + frame_time;
  const Time stop = built(0) + cycles(2); // within the first frame
  const Time until = 20_us;
  b.board.reader().stop(stop, until - stop);
  const int n = 30;
  strobe_first_windows(b, n);
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

TEST_CASE("power-on garbage is read first, is nobody's, and no more than the FIFO holds") {
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

TEST_CASE("garbage that is lost is nobody's loss") {
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

TEST_CASE("a reset loses what is inside by name: the data of incomplete words too") {
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

// --- lower bounds for whoever waits for a board ---

namespace {

struct Ends : FrameSink {
  std::vector<Time> all;
  void frames(std::span<const DeliveredFrame> frames) override {
    for (const auto& f : frames) all.push_back(f.read_end);
  }
  void stretch(const Stretch& s) override { frames(s.frames()); }
};

/// Holds and is busy at random.
struct Moody : Drain {
  Random& r;
  bool held = false;
  explicit Moody(Random& random) : r(random) {}
  Outcome frame_read(Time, const EventFrame&, std::size_t) override {
    Outcome o;
    if (r.one_in(4)) o.busy = Time::from_ps(r.below(3'000'000));
    held = o.hold = r.one_in(10);
    return o;
  }
  Time ready(Time edge) override { return edge + (r.one_in(8) ? Time::from_ps(r.below(2'000'000)) : 0_ps); }
};

} // namespace

TEST_CASE("of an idle board the frame of the next wrap may be read, and is not before it was said to be") {
  EcbParams ecb;
  ecb.wrap_frames = true;
  ecb.timestamp_bits = 4;
  OneBoard b(ecb);
  b.board.advance(1_us);
  const Time wraps = window * 16;
  const Time earliest = b.board.earliest_read(1);
  CHECK(earliest > wraps);
  b.board.advance(wraps * 2);
  REQUIRE(b.board.delivered().size() == 1);
  CHECK(b.board.delivered()[0].read_end == lone_read_end(15));
  CHECK(earliest <= lone_read_end(15));
}

TEST_CASE("no strobe happens and no frame is read before the board said it could") {
  Random r(31);
  std::size_t bounded_frames = 0;
  std::size_t bounded_strobes = 0;
  std::size_t held_strobes = 0;
  std::size_t exact_strobes = 0;
  for (int run = 0; run < 300; ++run) {
    Hardware h = random_hardware(r, {.depths = true, .policies = true, .formats = true, .readers = true});
    h.ecb.inputs = std::min<std::int64_t>(h.ecb.inputs, 4);
    if (r.one_in(2)) h.ecb.node_fifo_full = WhenFull::stall;
    CAPTURE(run, h.ecb.window_ns.number, h.ecb.node_fifo_full, h.ecb.vector_fifo_full, h.ecb.wrap_frames);
    CaptureBoard board(h.port, h.ecb, h.pbx, h.reader);
    Ends ends;
    Moody moody(r);
    board.deliver_to(&ends);
    const bool drained = r.one_in(2);
    if (drained) board.drain_through(&moody);
    const auto inputs = static_cast<std::uint32_t>(h.ecb.inputs);
    std::vector<Time> not_before(inputs, 0_ps);
    std::vector<Time> next(inputs, 0_ps);
    std::vector<bool> pending(inputs);
    std::map<std::size_t, Time> read_bounds; // by the number of the frame; valid until something is written
    std::size_t checked = 0;
    const std::int64_t pause = r.pick({12, 12, 600}); // steps between two writes of an input, about
    const auto spacing_ps = r.pick({50'000, 800'000, r.between(1, 2'000'000)});
    const std::vector<std::uint8_t> data(64 * 4, 1);
    for (Time now; now < 60_us; now += Time::from_ps(r.pick({50'000, 50'000, 49'999, 130'000, 1}))) {
      const std::size_t lost_before = board.counts().drained - ends.all.size();
      board.advance(now);
      // Frames that were read since: each at or after all bounds that were given for it.
      REQUIRE(board.counts().drained - ends.all.size() == lost_before);
      for (; checked < ends.all.size(); ++checked) {
        const auto bound = read_bounds.find(checked);
        if (bound == read_bounds.end()) continue;
        REQUIRE(ends.all[checked] >= bound->second);
        ++bounded_frames;
      }
      for (std::uint32_t i = 0; i < inputs; ++i) {
        const auto strobed = board.strobed(i);
        if (pending[i] && strobed) {
          REQUIRE(*strobed >= not_before[i]);
          REQUIRE(board.earliest_strobed(i) == *strobed);
          ++bounded_strobes;
          if (*strobed == not_before[i]) ++exact_strobes;
          if (*strobed > next[i]) ++held_strobes;
          next[i] = *strobed;
          pending[i] = false;
        }
        if (pending[i]) not_before[i] = std::max(not_before[i], board.earliest_strobed(i));
        if (!pending[i] && r.one_in(pause)) {
          const auto n = static_cast<std::size_t>(r.between(1, 12));
          const Burst burst{i, std::max(now, next[i]) + Time::from_ps(r.below(1'000'000)), Time::from_ps(spacing_ps),
                            std::span(data).first(n * board.datum_bytes()), r.one_in(2)};
          board.write(burst);
          next[i] = burst.first + burst.spacing * static_cast<std::int64_t>(n - 1);
          not_before[i] = board.earliest_strobed(i);
          pending[i] = true;
          read_bounds.clear();
        }
      }
      for (std::size_t n = 1; n <= 5; ++n) {
        Time& bound = read_bounds[ends.all.size() + n - 1];
        bound = std::max(bound, board.earliest_read(static_cast<std::int64_t>(n)));
      }
      if (moody.held && r.one_in(20)) {
        moody.held = false;
        board.resume_reader(now);
        read_bounds.clear();
      }
    }
  }
  CHECK(bounded_frames > 2000);
  CHECK(bounded_strobes > 2000);
  CHECK(held_strobes > 300);
  CHECK(exact_strobes > 1000);
}
