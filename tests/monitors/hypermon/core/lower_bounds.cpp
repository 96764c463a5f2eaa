// SPDX-License-Identifier: BSD-3-Clause
// When a board strobes and reads at the earliest, for whoever waits for it.
#include "tests/monitors/hypermon/core/one_board.hpp"
#include "tests/monitors/hypermon/core/random_bursts.hpp"
#include <map>

using namespace hypermon;
using namespace hypermon::testing;

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

TEST_CASE("the wrap frame of an idle board is read, but not before the predicted time") {
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

TEST_CASE("no strobe happens and no frame is read before the time that the board predicted for it") {
  const auto seed = GENERATE(31, 124, 1006); // with the last two seeds, windows end at horizons while writes are held
  Random r(seed);
  std::size_t bounded_frames = 0;
  std::size_t bounded_strobes = 0;
  std::size_t held_strobes = 0;
  std::size_t exact_strobes = 0;
  for (int run = 0; run < 300; ++run) {
    Hardware h = random_hardware(r, {.depths = true, .policies = true, .formats = true, .readers = true});
    h.ecb.inputs = std::min<std::int64_t>(h.ecb.inputs, 4);
    if (r.one_in(2)) h.ecb.node_fifo_full = WhenFull::stall;
    CAPTURE(seed, run, h.ecb.window_ns.number, h.ecb.node_fifo_full, h.ecb.vector_fifo_full, h.ecb.wrap_frames);
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
    std::map<std::size_t, Time> read_bounds; // bounds by the number of the frame; valid until the next write
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
        board.resume_reader(now); // may make room earlier
        read_bounds.clear();
        for (std::uint32_t i = 0; i < inputs; ++i) not_before[i] = board.earliest_strobed(i);
      }
    }
  }
  CHECK(bounded_frames > 2000);
  CHECK(bounded_strobes > 2000);
  CHECK(held_strobes > 300);
  CHECK(exact_strobes > 1000);
}
