// SPDX-License-Identifier: BSD-3-Clause
// The drain program (spec sec. 6): what it keeps, what it loses, what it costs.
#include "hw/hypermon/core/drain_program.hpp"
#include "tests/monitors/hypermon/core/one_board.hpp"
#include <cmath>

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

struct Program : DrainProgram {
  explicit Program(const DrainParams& p, const PortParams& port = {}, std::size_t nodes = 16)
      : DrainProgram(p, FrameFormat(port, EcbParams{}), nodes * 17) {}
  /// Reads `n` prototype frames at `end`. Returns the outcome of the last.
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

TEST_CASE("memory keeps data up to the last byte that fits, and the rest are lost") {
  DrainParams p = to(Destination::memory);
  p.memory_bytes = 16384 + 8;
  Program program(p);
  const std::int64_t fit = p.memory_bytes.number / frame_bytes;
  const auto last = program.read(1_ms, fit);
  CHECK(last.kept);
  CHECK(last.busy == 0_ps);
  CHECK_FALSE(program.read(2_ms).kept);
  CHECK(program.frame_read(3_ms, frame_of(1), 2).kept); // 8 bytes: the remaining room
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
    // Then there is room for the rest of a block; the second block is written after the same time again.
    CHECK(program.read(start, per_block - 1).busy == 0_ps);
    CHECK(program.read(start + 1_us).busy == block_time(p) * 2 - 1_us);
    CHECK(program.totals().waiting == block_time(p) * 3 - 1_us);
    CHECK(program.totals().bytes_lost == 0);
    // A frame that is read when a block is written does not wait.
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
  CHECK(program.read(block_time(p) - 1_ps).busy == 1_ps); // the rest of the first block's time
  program.read(block_time(p) - 1_ps, per_block - 1);
  CHECK(program.read(block_time(p)).busy == block_time(p)); // the second: no pause after the first
}

TEST_CASE("the 13 interrupts for 8 KB are spread evenly over their blocks and take the CPU between two frames") {
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

TEST_CASE("a message to the host is due when all its bytes have been read, and the program holds until it is sent") {
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
  program.read(40_ms); // two more periods without events have ended, and a third
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
