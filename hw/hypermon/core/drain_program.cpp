// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/drain_program.hpp"
#include <algorithm>
#include <bit>

namespace hypermon {

namespace {
/// Sequential writing needs no seeks, and drive buffers hide the rotation. What remains is one rate: that of all disks
/// together or of the bus.
DiskGeometry cfs(const DrainParams& p) {
  DiskGeometry g;
  g.mb_per_s = std::min(p.cfs_scsi_mb_per_s, p.cfs_disk_mb_per_s * static_cast<double>(p.cfs_disks));
  return g;
}
} // namespace

DrainProgram::DrainProgram(const DrainParams& p, const FrameFormat& format, std::size_t cells)
    : destination_(p.destination), reduction_(p.reduction), capacity_(p.memory_bytes.number),
      frame_time_(p.reduction_frame_us),
      datum_time_(reduction_ == Reduction::streams ? p.streams_datum_us : p.statistics_datum_us),
      period_(p.statistics_period_ms), block_bytes_(p.cfs_block_bytes.number),
      interrupts_per_8k_(p.cfs_interrupts_per_8k), interrupt_time_(p.cfs_interrupt_us),
      message_bytes_(p.host_message_bytes.number), send_time_(p.host_send_us), disk_(cfs(p)) {
  stream_bytes_ = std::max<std::int64_t>(static_cast<std::int64_t>(format.data_bits()) / 8, 1) + 2;
  bytes_per_period_ = static_cast<std::int64_t>(cells) * 8; // a count and a sum
}

// Returns the bytes that are kept of the frame and adds the CPU cost to `outcome`.
std::int64_t DrainProgram::reduce(Time end, const EventFrame& frame, std::size_t words, Outcome& outcome) {
  const auto data = static_cast<std::int64_t>(std::popcount(frame.vector));
  const auto read = static_cast<std::int64_t>(4 * words);
  totals_.bytes_read += static_cast<std::uint64_t>(read);
  if (reduction_ == Reduction::none) return read;
  const Time cost = frame_time_ + datum_time_ * data;
  totals_.reducing += cost;
  outcome.busy += cost;
  if (reduction_ == Reduction::streams) return stream_bytes_ * data;
  const std::int64_t begun = end / period_;
  const std::int64_t bytes = (begun - periods_) * bytes_per_period_;
  periods_ = begun;
  return bytes;
}

Drain::Outcome DrainProgram::frame_read(const Time end, const EventFrame& frame, const std::size_t words) {
  Outcome outcome;
  const std::int64_t bytes = reduce(end, frame, words, outcome);
  if (destination_ == Destination::discard) {
    totals_.bytes_kept += static_cast<std::uint64_t>(bytes);
    return outcome;
  }
  Time now = end + outcome.busy;
  if (destination_ == Destination::cfs) {
    finish_blocks(end);
    const Time asked = now;
    while (buffered_ + bytes > capacity_ && !done_.empty()) finish_blocks(now = std::max(now, done_.front()));
    totals_.waiting += now - asked;
    outcome.busy = now - end;
  }
  if (buffered_ + bytes > capacity_) { // no operation that would make room is in progress
    totals_.bytes_lost += static_cast<std::uint64_t>(bytes);
    outcome.kept = false;
    return outcome;
  }
  totals_.bytes_kept += static_cast<std::uint64_t>(bytes);
  buffered_ += bytes;
  if (destination_ == Destination::cfs) {
    unwritten_ += bytes;
    write_blocks(now);
  } else if (destination_ == Destination::host && buffered_ >= message_bytes_) {
    message_due_ = message_bytes_;
    ++totals_.messages;
    outcome.hold = true;
  }
  totals_.peak_buffer_bytes = std::max(totals_.peak_buffer_bytes, static_cast<std::uint64_t>(buffered_));
  return outcome;
}

// Whole blocks go to the disks, one after the other. The card's interrupts are spread evenly over a block's transfer.
void DrainProgram::write_blocks(const Time now) {
  for (; unwritten_ >= block_bytes_; unwritten_ -= block_bytes_, ++blocks_) {
    const auto [begin, end] = disk_.ask(now, blocks_ * block_bytes_, block_bytes_);
    done_.push(end);
    const std::int64_t before = blocks_ * block_bytes_ * interrupts_per_8k_ / 8192;
    const std::int64_t n = (blocks_ + 1) * block_bytes_ * interrupts_per_8k_ / 8192 - before;
    for (std::int64_t i = 1; i <= n; ++i) interrupts_.push(begin + Time::from_ps((end - begin).ps() / n * i));
  }
}

void DrainProgram::finish_blocks(const Time until) {
  for (; !done_.empty() && done_.front() <= until; done_.pop()) buffered_ -= block_bytes_;
}

Time DrainProgram::ready(const Time edge) {
  for (; !interrupts_.empty() && interrupts_.front() <= std::max(edge, cpu_free_); interrupts_.pop()) {
    cpu_free_ = std::max(cpu_free_, interrupts_.front()) + interrupt_time_;
    ++totals_.interrupts;
  }
  return std::max(edge, cpu_free_);
}

} // namespace hypermon
