// SPDX-License-Identifier: BSD-3-Clause
// The drain program of an I/O node: reduction, destination, and what both cost its CPU (spec sec. 6, facts: I/O node
// and CFS).
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"
#include "base/spaced_times.hpp"
#include "hw/core/disk.hpp"
#include "hw/hypermon/core/drain.hpp"

#include <cstdint>

namespace hypermon {

/// Destination of the frames that were read.
enum class Destination : std::uint8_t { discard, memory, cfs, host };
constexpr auto words_of(Destination) { return words("discard", "memory", "cfs", "host"); }
enum class Reduction : std::uint8_t { none, streams, statistics };
constexpr auto words_of(Reduction) { return words("none", "streams", "statistics"); }

struct DrainParams {
  Destination destination = Destination::discard;
  Bytes memory_bytes = 4 << 20;
  Reduction reduction = Reduction::none;
  Microseconds reduction_frame_us = 2.5;
  Microseconds streams_datum_us = 3.75;
  Microseconds statistics_datum_us = 6.25;
  Milliseconds statistics_period_ms = 1000;
  Bytes cfs_block_bytes = 4096;
  double cfs_scsi_mb_per_s = 4;
  double cfs_disk_mb_per_s = 0.75;
  std::int64_t cfs_disks = 1;
  std::int64_t cfs_interrupts_per_8k = 13;
  Microseconds cfs_interrupt_us = 80;
  Bytes host_message_bytes = 4096;
  Microseconds host_send_us = 340;
  bool keep_frames = false;
};

class DrainProgram : public Drain {
public:
  /// `cells`: number of statistics, one for each event type of each node on the board.
  DrainProgram(const DrainParams& params, const FrameFormat& format, std::size_t cells);
  /// True if no action of the program takes time or can fail.
  static bool idle(const DrainParams& params) {
    return params.destination == Destination::discard && params.reduction == Reduction::none;
  }

  Outcome frame_read(Time end, const EventFrame& frame, std::size_t words) override;
  Time ready(Time edge) override;

  /// Destination::host: bytes of the message that must be sent now (Outcome::hold). The buffer is free again after
  /// message_sent().
  std::int64_t message_due() const { return message_due_; }
  void message_sent() {
    buffered_ -= message_due_;
    message_due_ = 0;
  }
  /// Destination::host: bytes missing until the next message is full.
  std::int64_t to_next_message() const { return message_bytes_ - buffered_; }
  Time send_time() const { return send_time_; }

  struct Totals {
    std::uint64_t bytes_read = 0; ///< over the PBX
    std::uint64_t bytes_kept = 0; ///< bytes that remain after the reduction
    std::uint64_t bytes_lost = 0; ///< bytes lost because memory was full
    std::uint64_t peak_buffer_bytes = 0;
    std::uint64_t interrupts = 0;
    std::uint64_t messages = 0;
    Time reducing; ///< CPU time
    Time waiting;  ///< time spent waiting for room in the buffer
  };
  const Totals& totals() const { return totals_; }

private:
  std::int64_t reduce(Time end, const EventFrame& frame, std::size_t words, Outcome& outcome);
  void write_blocks(Time now);
  void finish_blocks(Time until);

  Destination destination_;
  Reduction reduction_;
  std::int64_t capacity_;
  Time frame_time_;
  Time datum_time_;
  Time period_;
  std::int64_t stream_bytes_; // bytes of a datum in a stream
  std::int64_t bytes_per_period_;
  std::int64_t periods_ = 0; // number of periods that were written
  std::int64_t block_bytes_;
  std::int64_t interrupts_per_8k_;
  Time interrupt_time_;
  std::int64_t message_bytes_;
  Time send_time_;

  std::int64_t buffered_ = 0; // bytes in memory, including those on their way to the disks
  std::int64_t unwritten_ = 0;
  std::int64_t blocks_ = 0;
  SpacedTimes done_;       // ends of blocks that are being written
  FifoDisk disk_;          // all disks on the bus as one: consecutive blocks are declustered over them
  SpacedTimes interrupts_; // future interrupts
  Time cpu_free_;
  std::int64_t message_due_ = 0;
  Totals totals_;
};

constexpr auto fields_of(const DrainParams*) {
  using P = DrainParams;
  return fields(
      Field{"destination", &P::destination,
            "Destination of the frames that the drain program reads. discard: they are decoded and overwritten. "
            "memory: they stay in memory until it is full. cfs: the I/O node's disks. host: the host, over the "
            "hypercube's links.",
            "HYPERMON sec. 3.3; the prototype's use is not stated (facts)"},
      Field{"memory_bytes", &P::memory_bytes, range(16384, 1e12),
            "Memory of one I/O node for event data. With drain.destination = memory it is the capacity, beyond which "
            "data are lost. With cfs and host it is the size of the buffer; the drain program waits while it is full.",
            "assumed: a quarter of a 16 MB node's memory"},
      Field{"reduction", &P::reduction,
            "Data reduction in the drain program. none: frames stay unchanged. streams: whole bytes of each node with "
            "16-bit window distances. statistics: a count and a sum per period, node and event type; the events "
            "themselves are lost.",
            "HYPERMON secs. 3.3 and 6"},
      Field{"reduction_frame_us", &P::reduction_frame_us, range(0, 1e6),
            "CPU time of taking one frame apart. It applies with drain.reduction = streams or statistics.",
            "assumed: 40 cycles at 16 MHz"},
      Field{"streams_datum_us", &P::streams_datum_us, range(0, 1e6),
            "CPU time of reducing one datum with drain.reduction = streams.", "assumed: 60 cycles at 16 MHz"},
      Field{"statistics_datum_us", &P::statistics_datum_us, range(0, 1e6),
            "CPU time of decoding and counting one datum with drain.reduction = statistics.",
            "assumed: 100 cycles at 16 MHz"},
      Field{"statistics_period_ms", &P::statistics_period_ms, range(0.1, 1e9),
            "Length of a period with drain.reduction = statistics.", "chosen"},
      Field{"cfs_block_bytes", &P::cfs_block_bytes, range(512, 65536, 512),
            "Block size of CFS with drain.destination = cfs.", "facts: 4 KB"},
      Field{"cfs_scsi_mb_per_s", &P::cfs_scsi_mb_per_s, range(0.001, 1e4), "MB/s",
            "Peak rate of the SCSI bus with drain.destination = cfs.", "HYPERMON sec. 2: 4"},
      Field{"cfs_disk_mb_per_s", &P::cfs_disk_mb_per_s, range(0.001, 1e4), "MB/s",
            "Rate of one disk with drain.destination = cfs.", "facts: 0.5 to 1 (recalled)"},
      Field{"cfs_disks", &P::cfs_disks, range(1, 7), "disks",
            "Number of disks over which CFS declusters its blocks with drain.destination = cfs.",
            "HYPERMON sec. 2: up to seven on the bus"},
      Field{"cfs_interrupts_per_8k", &P::cfs_interrupts_per_8k, range(0, 8192), "",
            "Interrupts that the SCSI card's 4 KB FIFO causes for each 8 KB written, with drain.destination = cfs.",
            "facts: about 13 (Gamma)"},
      Field{"cfs_interrupt_us", &P::cfs_interrupt_us, range(0, 1e6),
            "CPU time of one SCSI interrupt, copying included. Interrupts are served between two frames.",
            "derived: 10 % of the CPU while 8 KB are transferred at 0.75 MB/s (facts: Gamma)"},
      Field{"host_message_bytes", &P::host_message_bytes, range(101, 1 << 20),
            "Size of a message to the host with drain.destination = host. The drain program waits while one is sent.",
            "assumed"},
      Field{"host_send_us", &P::host_send_us, range(0, 1e6),
            "CPU time of sending one message to the host with drain.destination = host.",
            "assumed: half the start-up of a long message"},
      Field{"keep_frames", &P::keep_frames, any_value(), "",
            "Write the frames that each I/O node reads to board<n>.hmf in the run directory (see `hypermon frames`). "
            "Takes no simulated time.",
            "chosen"});
}
static_assert(all_members_described<DrainParams>());

} // namespace hypermon
