// SPDX-License-Identifier: BSD-3-Clause
// What a run under HYPERMON says beside what every run does.
#include "sw/monitors/hypermon/result_keys.hpp"

namespace hypermon {

ResultKeys hypermon_result_keys() {
  return {
      {"monitor.frames.built", "frames", "hypermon: frames that the frame builder made."},
      {"monitor.frames.lost", "frames", "hypermon: frames that found the frame FIFO full."},
      {"monitor.frames.merged", "nibbles", "hypermon: nibbles beyond the first of each frame."},
      {"monitor.frames.drained", "frames", "hypermon: frames that the I/O node read."},
      {"monitor.frames.peak_occupancy", "frames", "hypermon: most frames in the frame FIFO of the fullest board."},
      {"monitor.overrun", "", "hypermon: was anything lost to a full frame FIFO?", result::truth},
      {"monitor.first_overrun_s", "s", "When first; null if never.", result::or_null()},
      {"monitor.strobes", "nibbles", "hypermon: strobes that reached the boards."},
      {"monitor.aliasing", "nibbles", "hypermon: lost, a node's second strobe in one window."},
      {"monitor.node_overruns", "nibbles", "hypermon: lost to a full node FIFO."},
      {"monitor.windows_lost", "windows", "hypermon: windows that found the strobe-vector FIFO full."},
      {"monitor.discarded", "nibbles", "hypermon: nibbles of lost windows."},
      {"monitor.end_s", "s", "hypermon: end of the last frame read."},
      {"monitor.spurious_events", "events", "hypermon: decoded, but never emitted."},
      {"monitor.falsified_events", "events",
       "hypermon: decoded in the place of events that bit errors or skew had changed; the ledger counts those as "
       "lost."},
      {"monitor.garbage_nibbles", "nibbles", "hypermon: read from frames that were in the FIFO at power-on."},
      {"monitor.ambiguous_silences", "",
       "hypermon: silences in which the timestamp may have wrapped more often than the decoder could tell."},
      {"monitor.impossible_frames", "frames", "hypermon: frames that no run of this board can have made, given up."},
      {"latency_us.max", "us",
       "hypermon: an event is delivered when its last nibble has been read. The first event after a loss is delivered "
       "when the next event of its node has confirmed it, which can be much later: the decoder cannot know its start "
       "before."},
      {"monitor.held_s", "s", "hypermon: by how much longer all nodes' writes took because full node FIFOs held them."},
      {"monitor.drain.bytes_read", "B", "hypermon: read over the PBX by all I/O nodes."},
      {"monitor.drain.bytes_kept", "B", "Of them: what the reduction left and the destination took."},
      {"monitor.drain.bytes_lost", "B", "Lost for want of memory."},
      {"monitor.drain.peak_buffer_bytes", "B", "Most in the buffer of the fullest I/O node."},
      {"monitor.drain.interrupts", "", "Of the SCSI card (drain.destination = cfs)."},
      {"monitor.drain.messages", "messages", "To the host (drain.destination = host)."},
      {"monitor.drain.reducing_s", "s", "CPU time of the reduction, of all I/O nodes."},
      {"monitor.drain.waiting_s", "s", "Time that the programs waited for room in their buffers."},
      {"monitor.drain.given_up", "", "What detail the reduction gave up.", result::text},
      {"monitor.pbx.drain_waited_s", "s",
       "dma.words > 0: how long the drain programs' accesses waited for the bus, all together."},
      {"monitor.pbx.longest_wait_us", "us", "The one that waited longest."},
      {"monitor.pbx.second_bursts", "bursts", "That the second masters had the bus for."},
      {"monitor.pbx.second_waited_s", "s", "How long the second masters waited for it, all together."},
      {"rates.interval_s", "s", "hypermon: a hundredth of the measured section (Figures 10 to 13)."},
      {"rates.frames[]", "frames",
       "hypermon: frames that the I/O nodes' programs got, by when they were captured, in true time: in each "
       "hundredth. Of frames across a border each side has a share. Not among them: frames lost to a full FIFO, a bus "
       "error or want of memory, and what was in the FIFO at power-on.",
       result::real},
  };
}

} // namespace hypermon
