// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in drain_program.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "hw/hypermon/core/drain_program.hpp"

namespace hypermon {

constexpr auto fields_of(const DrainParams*) {
  using P = DrainParams;
  return fields(
      Field{
          "level", &P::level,
          "How the program's reading is simulated: in blocks of frames, or each access as a TLM transaction over the "
          "PBX at its own time, which other modules on the bus see and may delay. Where none does, results are equal.",
          "chosen"},
      Field{"destination", &P::destination,
            "What becomes of what was read: decoded and overwritten; kept in memory until that is full; written to "
            "the I/O node's disks; sent to the host over the hypercube's links.",
            "HYPERMON sec. 3.3; the prototype's use is not stated (facts)"},
      Field{"memory_bytes", &P::memory_bytes, range(16384, 1e12),
            "Of one I/O node. memory: all that it keeps; more is lost. cfs, host: its buffer; while that is full the "
            "program waits.",
            "assumed: a quarter of a 16 MB node's memory"},
      Field{"reduction", &P::reduction,
            "none: frames as they are. streams: each node's data (whole bytes) with 16-bit window "
            "distances. statistics: per period "
            "and event type of each node a count and a sum (4 B each); the events themselves are given up.",
            "HYPERMON secs. 3.3 and 6"},
      Field{"reduction_frame_us", &P::reduction_frame_us, range(0, 1e6),
            "CPU time of taking a frame apart, with any reduction.", "assumed: 40 cycles at 16 MHz"},
      Field{"streams_datum_us", &P::streams_datum_us, range(0, 1e6), "streams: CPU time of each datum.",
            "assumed: 60 cycles at 16 MHz"},
      Field{"statistics_datum_us", &P::statistics_datum_us, range(0, 1e6),
            "statistics: CPU time of each datum (decoding included).", "assumed: 100 cycles at 16 MHz"},
      Field{"statistics_period_ms", &P::statistics_period_ms, range(0.1, 1e9), "statistics: length of a period.",
            "chosen"},
      Field{"cfs_block_bytes", &P::cfs_block_bytes, range(512, 65536, 512), "cfs: block size.", "facts: 4 KB"},
      Field{"cfs_scsi_mb_per_s", &P::cfs_scsi_mb_per_s, range(0.001, 1e4), "MB/s", "cfs: peak of the SCSI bus.",
            "HYPERMON sec. 2: 4"},
      Field{"cfs_disk_mb_per_s", &P::cfs_disk_mb_per_s, range(0.001, 1e4), "MB/s", "cfs: rate of one disk.",
            "facts: 0.5 to 1 (recalled)"},
      Field{"cfs_disks", &P::cfs_disks, range(1, 7), "disks", "cfs: disks over which blocks are declustered.",
            "HYPERMON sec. 2: up to seven on the bus"},
      Field{"cfs_interrupts_per_8k", &P::cfs_interrupts_per_8k, range(0, 8192), "",
            "cfs: interrupts of the SCSI card's 4 KB FIFO for 8 KB.", "facts: about 13 (Gamma)"},
      Field{"cfs_interrupt_us", &P::cfs_interrupt_us, range(0, 1e6),
            "cfs: CPU time of one of them, copying included. They are taken between two frames.",
            "derived: 10 % of the CPU while 8 KB are transferred at 0.75 MB/s (facts: Gamma)"},
      Field{"host_message_bytes", &P::host_message_bytes, range(101, 1 << 20),
            "host: size of the messages; the program waits until one has been sent.", "assumed"},
      Field{"host_send_us", &P::host_send_us, range(0, 1e6), "host: CPU time of sending a message.",
            "assumed: half the start-up of a long message"},
      Field{"keep_frames", &P::keep_frames, any_value(), "",
            "Also write what each I/O node read to board<n>.hmf in the run directory (`hypermon frames`); takes no "
            "simulated time.",
            "chosen"});
}
static_assert(all_members_described<DrainParams>());

} // namespace hypermon
