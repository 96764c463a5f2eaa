// SPDX-License-Identifier: BSD-3-Clause
// One small provocation of each loss cause, each count, each register bit. What has none fails to compile (a member of
// Counts) or fails here.
#include "hw/hypermon/core/drain_program.hpp"
#include "tests/monitors/hypermon/core/one_board.hpp"
#include <functional>
#include <set>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

EcbParams ecb(std::int64_t node_entries, std::int64_t vector_entries, std::int64_t frames, std::int64_t window_ns) {
  EcbParams p;
  p.node_fifo_entries = node_entries;
  p.vector_fifo_entries = vector_entries;
  p.frame_fifo_frames = frames;
  p.window_ns = window_ns;
  return p;
}

/// Six strobes of input 0, one a window of 200 ns: half as many frames can be built.
void too_fast(OneBoard& b) {
  for (int k = 0; k < 6; ++k) b.strobe(0, 200_ns * k);
  b.finish();
}

struct NoMemory : Drain {
  Outcome frame_read(Time, const EventFrame&, std::size_t) override { return {false, 0_ps, false}; }
  Time ready(Time edge) override { return edge; }
};

/// A board on which data are lost for this cause and for no other. A missing case makes the function fail.
std::vector<Loss> provoke(LossCause cause) {
  switch (cause) {
  case LossCause::aliasing: {
    OneBoard b;
    b.strobe(0, 0_ns);
    b.strobe(0, 1_ns);
    b.finish();
    return b.losses;
  }
  case LossCause::node_overrun: {
    OneBoard b(ecb(1, 64, 1024, 200));
    too_fast(b);
    return b.losses;
  }
  case LossCause::window_lost: {
    OneBoard b(ecb(64, 1, 1024, 200));
    too_fast(b);
    return b.losses;
  }
  case LossCause::frame_lost: {
    OneBoard b(ecb(64, 64, 1, 200));
    too_fast(b);
    return b.losses;
  }
  case LossCause::reset: {
    OneBoard b;
    b.strobe(0, 0_ns);
    b.board.write_control(control_bits::reset, 100_ns);
    b.finish();
    return b.losses;
  }
  case LossCause::bus_error: {
    FaultParams p;
    p.pbx_error_probability = 1;
    OneBoard b;
    b.board.fail_reads(PbxFaults(p));
    b.strobe(0, 0_ns);
    b.finish();
    return b.losses;
  }
  case LossCause::memory_full: {
    NoMemory full;
    OneBoard b;
    b.board.drain_through(&full);
    b.strobe(0, 0_ns);
    b.finish();
    return b.losses;
  }
  case LossCause::reader_stopped: {
    OneBoard b(ecb(64, 64, 1, 200));
    b.board.reader().stop(0_ns, 1_ms);
    too_fast(b);
    return b.losses;
  }
  }
  return {};
}

} // namespace

TEST_CASE("each cause of a loss occurs alone in a run that provokes it") {
  for (std::size_t i = 0; i < loss_causes; ++i) {
    CAPTURE(i);
    const auto cause = static_cast<LossCause>(i);
    const std::vector<Loss> losses = provoke(cause);
    CHECK_FALSE(losses.empty());
    for (const Loss& loss : losses) CHECK(loss.cause == cause);
  }
  CHECK(provoke(static_cast<LossCause>(loss_causes)).empty()); // loss_causes counts all of them
}

namespace {

/// Names of the counts that are not zero.
std::set<std::string> counted(const Counts& counts) {
  const auto& [strobes, accumulating, aliasing, node_overruns, windows_lost, discarded, frames_built, merged,
               frames_lost, drained, frames_in_fifo, peak_frame_fifo, first_overrun, end] = counts;
  std::set<std::string> names;
  const auto add = [&](const char* name, bool set) {
    if (set) names.insert(name);
  };
  add("strobes", strobes > 0);
  add("accumulating", accumulating > 0);
  add("aliasing", aliasing > 0);
  add("node_overruns", node_overruns > 0);
  add("windows_lost", windows_lost > 0);
  add("discarded", discarded > 0);
  add("frames_built", frames_built > 0);
  add("merged", merged > 0);
  add("frames_lost", frames_lost > 0);
  add("drained", drained > 0);
  add("frames_in_fifo", frames_in_fifo > 0);
  add("peak_frame_fifo", peak_frame_fifo > 0);
  add("first_overrun", first_overrun.has_value());
  add("end", end > 0_ps);
  return names;
}

constexpr Time long_after = 1_ms;

/// Counters that `provocation` increments, in addition to those of one strobe that was read.
std::set<std::string> counted_by(const EcbParams& p, const std::function<void(OneBoard&)>& provocation) {
  OneBoard b(p);
  provocation(b);
  return counted(b.board.counts());
}

} // namespace

TEST_CASE("each event of the board increments exactly the counts that belong to it") {
  using Names = std::set<std::string>;
  const Names read{"strobes", "frames_built", "peak_frame_fifo", "drained", "end"};
  const auto more = [&](std::initializer_list<std::string> names) {
    Names all = read;
    all.insert(names.begin(), names.end());
    return all;
  };
  EcbParams collecting;
  collecting.accumulate_bits = 32;
  const auto nothing = [](OneBoard& b) { b.board.advance(long_after); };
  const auto one = [](OneBoard& b) {
    b.strobe(0, 0_ns);
    b.finish();
  };
  const auto one_not_read = [](OneBoard& b) {
    b.strobe(0, 0_ns);
    b.board.advance(lone_read_end(0));
  };
  const auto two_together = [](OneBoard& b) {
    b.strobe(0, 0_ns);
    b.strobe(1, 0_ns);
    b.finish();
  };
  const auto twice = [](OneBoard& b) {
    b.strobe(0, 0_ns);
    b.strobe(0, 0_ns);
    b.finish();
  };
  struct {
    EcbParams ecb;
    std::function<void(OneBoard&)> provocation;
    Names counted;
  } const cases[] = {
      {{}, nothing, {}},
      {{}, one, read},
      {{}, one_not_read, {"strobes", "frames_built", "peak_frame_fifo", "frames_in_fifo"}},
      {{}, two_together, more({"merged"})},
      {{}, twice, more({"aliasing"})},
      {collecting, one, {"strobes", "accumulating"}},
      {ecb(1, 64, 1024, 200), too_fast, more({"node_overruns"})},
      {ecb(64, 1, 1024, 200), too_fast, more({"windows_lost", "discarded"})},
      {ecb(64, 64, 1, 200), too_fast, more({"frames_lost", "first_overrun"})},
  };
  Names all;
  for (const auto& c : cases) {
    const Names found = counted_by(c.ecb, c.provocation);
    CHECK(found == c.counted);
    all.insert(found.begin(), found.end());
  }
  CHECK(all.size() == 14); // every name of counted()
}

TEST_CASE("each bit of the status register is set by its own event, and reads 0 without") {
  const auto status_after = [](const EcbParams& p, const std::function<void(OneBoard&)>& provocation) {
    OneBoard b(p, {}, {}, DrainedBy::bus_master);
    provocation(b);
    Time t = b.board.horizon() < long_after ? long_after : b.board.horizon();
    const bool waits = b.board.read_frame_count(t) > 0;
    CHECK(((b.board.read_status(t) & status_bits::frame_available) != 0) == waits);
    while (b.board.read_frame_count(t) > 0) t = b.board.read_frame_word(t).end;
    return b.board.read_status(t);
  };
  const auto fast = [](OneBoard& b) {
    for (int k = 0; k < 6; ++k) b.strobe(0, 200_ns * k);
  };
  CHECK(status_after({}, [](OneBoard& b) { b.strobe(0, 0_ns); }) == 0);
  CHECK(status_after(ecb(64, 64, 1, 200), fast) == status_bits::frame_overrun);
  CHECK(status_after(ecb(1, 64, 1024, 200), fast) == status_bits::node_overrun);
  CHECK(status_after(ecb(64, 1, 1024, 200), fast) == status_bits::vector_overrun);
  const std::uint32_t all = status_bits::frame_overrun | status_bits::node_overrun | status_bits::vector_overrun |
                            status_bits::frame_available;
  CHECK(all == (1u << find_register(static_cast<std::uint64_t>(PbxRegister::status))->bits) - 1); // no other bit
}

TEST_CASE("each bit of the control register: bit 0 resets, the others do nothing") {
  const auto bits = find_register(static_cast<std::uint64_t>(PbxRegister::control))->bits;
  for (unsigned bit = 0; bit < bits; ++bit) {
    CAPTURE(bit);
    OneBoard b({}, {}, {}, DrainedBy::bus_master);
    b.strobe(0, 0_ns);
    b.board.write_control(1u << bit, long_after);
    const bool resets = 1u << bit == control_bits::reset;
    CHECK(resets == (bit == 0));
    CHECK(b.board.read_frame_count(long_after) == (resets ? 0 : 1));
    CHECK((b.board.counts() == Counts{}) == resets);
  }
}

TEST_CASE("each bit of the frame count and of a frame's words can be 0 and 1") {
  const auto count_bits = find_register(static_cast<std::uint64_t>(PbxRegister::frame_count))->bits;
  EcbParams deep;
  deep.frame_fifo_frames = 1 << count_bits;
  OneBoard b(deep, {}, {}, DrainedBy::bus_master);
  std::uint32_t ones = 0;
  std::uint32_t zeros = 0;
  std::uint32_t frames = 0;
  for (; frames < (1u << count_bits) - 1; ++frames) {
    b.strobe(frames % 16, window * frames, 15);
    const std::uint32_t count = b.board.read_frame_count(window * (frames + 1));
    ones |= count;
    zeros |= ~count;
  }
  CHECK((ones & zeros) == (1u << count_bits) - 1);
  CHECK(ones < 1u << count_bits);

  std::array<std::uint32_t, 4> word_ones{};
  std::array<std::uint32_t, 4> word_zeros{};
  Time t = window * (frames + 3);
  for (std::uint32_t f = 0; f < frames; ++f)
    for (std::size_t w = 0; w < 4; ++w) {
      const auto read = b.board.read_frame_word(t);
      t = read.end;
      word_ones[w] |= read.value;
      word_zeros[w] |= ~read.value;
    }
  CHECK((word_ones[0] & word_zeros[0]) == ~0u); // data of inputs 15 to 8
  CHECK((word_ones[1] & word_zeros[1]) == ~0u);
  CHECK((word_ones[2] & word_zeros[2]) == 0xFFFFu); // the vector
  CHECK(word_ones[2] == 0xFFFFu);
  CHECK((word_ones[3] & word_zeros[3]) == (1u << count_bits) - 1); // windows 0 to 4094
}
