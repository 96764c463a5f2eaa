// SPDX-License-Identifier: BSD-3-Clause
// Spec sec. 3, registers, as a bus master sees the core. The access rules of the bus: tests/tlm.
#include "tests/monitors/hypermon/core/one_board.hpp"

using namespace hypermon;
using namespace hypermon::testing;

namespace {

struct MasterBoard : OneBoard {
  explicit MasterBoard(const EcbParams& ecb = {}) : OneBoard(ecb, {}, {}, DrainedBy::bus_master) {}
};

} // namespace

TEST_CASE("the register table is the contract's") {
  const std::uint64_t offsets[] = {0x0, 0x4, 0x8, 0xC};
  const unsigned bits[] = {8, 4, 12, 32};
  for (std::size_t i = 0; i < 4; ++i) {
    REQUIRE(find_register(offsets[i]) == &pbx_registers[i]);
    CHECK(pbx_registers[i].bits == bits[i]);
    CHECK((pbx_registers[i].access == Access::write_only) == (i == 0));
    CHECK((pbx_registers[i].access == Access::read_only) == (i != 0));
  }
  CHECK(find_register(0x10) == nullptr);
}

TEST_CASE("registers do not overlap, lie in the board's space, and their fields share no bit and fit") {
  for (const RegisterInfo& r : pbx_registers) {
    CAPTURE(r.name);
    const auto begin = static_cast<std::uint64_t>(r.offset);
    CHECK(begin % pbx_access_bytes == 0);
    CHECK(begin + pbx_access_bytes <= pbx_register_bytes);
    for (const RegisterInfo& other : pbx_registers) {
      const auto others = static_cast<std::uint64_t>(other.offset);
      CHECK((&other == &r || others >= begin + pbx_access_bytes || begin >= others + pbx_access_bytes));
      CHECK((&other == &r || other.name != r.name));
    }
    CHECK((r.reset & ~mask(r)) == 0);
    std::uint32_t taken = 0;
    for (const RegisterField& field : r.fields) {
      CHECK(field.mask != 0);
      CHECK((field.mask & taken) == 0);
      CHECK((field.mask & ~mask(r)) == 0);
      taken |= field.mask;
    }
  }
}

TEST_CASE("a board that was reset reads as the table says") {
  MasterBoard b;
  for (int k = 0; k < 6; ++k) b.strobe(0, window * k);
  b.board.write_control(control_bits::reset, 1_ms);
  for (const RegisterInfo& r : pbx_registers) CHECK(b.board.peek(r.offset) == r.reset);
}

TEST_CASE("a frame waits from the edge after it was built until its fourth word ends") {
  MasterBoard b;
  b.strobe(0, 0_ns, 7);
  CHECK(b.board.read_frame_count(built(0)) == 0);
  CHECK(b.board.read_frame_word(built(0)).value == 0); // an empty FIFO gives 0 and changes nothing
  Time t = built(0) + cycles(1);
  CHECK(b.board.read_frame_count(t) == 1);
  CHECK(b.board.read_status(t) == status_bits::frame_available);
  for (const std::uint32_t expected : {0u, 7u, 1u, 0u}) {
    CHECK(b.board.read_frame_count(t) == 1);
    const auto read = b.board.read_frame_word(t);
    CHECK(read.value == expected);
    CHECK(read.end == t + word_time);
    t = read.end;
  }
  CHECK(b.board.counts().frames_in_fifo == 1);
  CHECK(b.board.read_frame_count(t) == 0);
  CHECK(b.board.read_status(t) == 0);
  b.board.advance(t + 1_ps);
  CHECK(b.board.counts().frames_in_fifo == 0);
  CHECK(b.board.counts().end == t);
}

TEST_CASE("the frame count register saturates at 4095") {
  EcbParams p;
  p.frame_fifo_frames = 5000;
  MasterBoard b(p);
  for (int k = 0; k < 4097; ++k) b.strobe(0, window * k);
  CHECK(b.board.read_frame_count(built(4093) + cycles(1)) == 4094);
  CHECK(b.board.read_frame_count(built(4094) + cycles(1)) == 4095);
  CHECK(b.board.read_frame_count(built(4095) + cycles(1)) == 4095);
  CHECK(b.board.counts().frames_in_fifo == 4096);
}

TEST_CASE("each overrun sets its own status bit, which stays until a reset") {
  EcbParams p;
  p.window_ns = 200;
  struct {
    std::int64_t node, vector, frames;
    std::uint32_t bit;
  } const cases[] = {{64, 64, 1, status_bits::frame_overrun},
                     {1, 64, 1024, status_bits::node_overrun},
                     {64, 1, 1024, status_bits::vector_overrun}};
  for (const auto& c : cases) {
    p.node_fifo_entries = c.node;
    p.vector_fifo_entries = c.vector;
    p.frame_fifo_frames = c.frames;
    MasterBoard b(p);
    for (int k = 0; k < 6; ++k) b.strobe(0, 200_ns * k);
    const Time later = 1_ms;
    CHECK(b.board.read_status(later) == (c.bit | status_bits::frame_available));
    Time t = later;
    while (b.board.read_frame_count(t) > 0) t = b.board.read_frame_word(t).end;
    CHECK(b.board.read_status(t) == c.bit);
    b.board.write_control(control_bits::reset, t);
    CHECK(b.board.read_status(t) == 0);
  }
}

TEST_CASE("a reset empties the board, and windows, timestamps and counts start again from it") {
  MasterBoard b;
  b.strobe(0, 0_ns, 1);
  b.strobe(1, 100_us, 2);
  const Time open_window = 100_us + 100_ns;
  b.board.write_control(0xFE, open_window); // not bit 0
  CHECK(b.board.counts().strobes == 2);
  CHECK(b.board.read_frame_count(open_window) == 1);

  b.strobe(1, 200_us, 3); // already written but not yet strobed: it stays
  b.board.write_control(0xFF, open_window);
  CHECK(b.board.counts() == Counts{});
  CHECK(b.board.read_frame_count(open_window) == 0);
  REQUIRE(b.losses.size() == 2); // one in the frame FIFO, one in the open window
  for (const Loss& loss : b.losses) CHECK(loss.cause == LossCause::reset);

  const Time built_again = open_window + window * ((200_us - open_window) / window + 1) + to_pop + build;
  CHECK(b.board.read_frame_count(built_again) == 0);
  Time t = built_again + cycles(1);
  CHECK(b.board.read_frame_count(t) == 1);
  for (const auto expected : {0u, 3u << 4, 1u << 1, static_cast<std::uint32_t>((200_us - open_window) / window)}) {
    const auto read = b.board.read_frame_word(t);
    CHECK(read.value == expected);
    t = read.end;
  }
  CHECK(b.board.counts().strobes == 1);
}

TEST_CASE("a reset undoes what would happen at its edge and lets a built-in reader start again") {
  for (const bool at_the_push : {true, false}) {
    OneBoard b;
    b.strobe(0, 0_ns);
    b.board.write_control(control_bits::reset, at_the_push ? built(0) : built(0) + cycles(1) + frame_time);
    CHECK(b.board.counts() == Counts{});
    const Time t = edge_at_or_before(1_ms);
    b.strobe(0, t, 4);
    const auto frames = b.finish();
    REQUIRE(frames.size() == 1);
    CHECK(frames[0].frame.data[0] == 4);
    CHECK(b.board.counts().drained == 1);
  }
}

TEST_CASE("after a reset no part is busy or full with what was before it") {
  EcbParams p;
  p.window_ns = 200;
  p.node_fifo_entries = 3;
  p.builder_cycles = 1000;
  ReaderParams slow;
  slow.kind = ReaderKind::group;
  slow.group_ns = 1'000'000;
  OneBoard b(p, slow);
  // one is taken, and two are in the node FIFO, which then overruns
  for (int k = 0; k < 6; ++k) b.strobe(0, 200_ns * k);
  const Time reset = 1200_ns + cycles(1000) + 10_us; // the first frame is being read
  b.board.advance(reset);
  REQUIRE(b.board.counts().node_overruns > 0);
  REQUIRE(b.board.counts().frames_in_fifo == 1);
  b.board.write_control(control_bits::reset, reset);
  for (int k = 0; k < 3; ++k) b.strobe(0, reset + 200_ns * k);
  const auto frames = b.finish();
  REQUIRE(frames.size() == 3);
  CHECK(b.board.counts().node_overruns == 0);
  const Time first_built = reset + 200_ns + to_pop + cycles(1000);
  CHECK(frames[0].read_end == first_built + cycles(1) + 1'000'000_ns + frame_time);
}

TEST_CASE("looking without side effects gives what a read would and changes nothing") {
  MasterBoard b;
  b.strobe(15, 0_ns, 9);
  const Time t = built(0) + cycles(1);
  b.board.advance(t);
  for (int twice = 0; twice < 2; ++twice) {
    CHECK(b.board.peek(PbxRegister::frame_fifo) == 9u << 28);
    CHECK(b.board.peek(PbxRegister::frame_count) == 1);
    CHECK(b.board.peek(PbxRegister::status) == status_bits::frame_available);
    CHECK(b.board.peek(PbxRegister::control) == 0);
  }
  CHECK(b.board.read_frame_word(t).value == 9u << 28);
  CHECK(b.board.peek(PbxRegister::frame_fifo) == 0); // word 1
}
