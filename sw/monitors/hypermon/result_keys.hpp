// SPDX-License-Identifier: BSD-3-Clause
// Result keys of HYPERMON.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct HypermonKeys {
  struct Frames {
    ResultKey<int> built{"monitor.frames.built", "frames", "hypermon: frames that the frame builder made."};
    ResultKey<int> lost{"monitor.frames.lost", "frames", "hypermon: frames that found the frame FIFO full."};
    ResultKey<int> merged{"monitor.frames.merged", "nibbles", "hypermon: nibbles beyond the first of each frame."};
    ResultKey<int> drained{"monitor.frames.drained", "frames", "hypermon: frames that the I/O node read."};
    ResultKey<int> peak_occupancy{"monitor.frames.peak_occupancy", "frames",
                                  "hypermon: most frames in the frame FIFO of the fullest board."};
  } frames;
  ResultKey<bool> overrun{"monitor.overrun", "", "hypermon: was anything lost to a full frame FIFO?"};
  ResultKey<std::optional<double>> first_overrun_s{"monitor.first_overrun_s", "s", "When first; null if never."};
  ResultKey<int> strobes{"monitor.strobes", "nibbles", "hypermon: strobes that reached the boards."};
  ResultKey<int> aliasing{"monitor.aliasing", "nibbles", "hypermon: lost, a node's second strobe in one window."};
  ResultKey<int> node_overruns{"monitor.node_overruns", "nibbles", "hypermon: lost to a full node FIFO."};
  ResultKey<int> windows_lost{"monitor.windows_lost", "windows",
                              "hypermon: windows that found the strobe-vector FIFO full."};
  ResultKey<int> discarded{"monitor.discarded", "nibbles", "hypermon: nibbles of lost windows."};
  ResultKey<double> end_s{"monitor.end_s", "s", "hypermon: end of the last frame read."};
  ResultKey<int> spurious_events{"monitor.spurious_events", "events", "hypermon: decoded, but never emitted."};
  ResultKey<int> falsified_events{"monitor.falsified_events", "events",
                                  "hypermon: decoded in the place of events that bit errors or skew had "
                                  "changed; the ledger counts those as lost."};
  ResultKey<int> garbage_nibbles{"monitor.garbage_nibbles", "nibbles",
                                 "hypermon: read from frames that were in the FIFO at power-on."};
  ResultKey<int> ambiguous_silences{"monitor.ambiguous_silences", "",
                                    "hypermon: silences in which the timestamp may have wrapped more often "
                                    "than the decoder could tell."};
  ResultKey<int> impossible_frames{"monitor.impossible_frames", "frames",
                                   "hypermon: frames that no run of this board can have made, given up."};
  ResultRemark latency{"latency_us.max", "us",
                       "hypermon: an event is delivered when its last nibble has been read. "
                       "The first event after a loss is delivered when the next event of its "
                       "node has confirmed it, which can be much later: the decoder cannot "
                       "know its start before."};
  ResultKey<double> held_s{"monitor.held_s", "s",
                           "hypermon: by how much longer all nodes' writes "
                           "took because full node FIFOs held them."};
  struct Drain {
    ResultKey<int> bytes_read{"monitor.drain.bytes_read", "B", "hypermon: read over the PBX by all I/O nodes."};
    ResultKey<int> bytes_kept{"monitor.drain.bytes_kept", "B",
                              "Of them: what the reduction left and the destination took."};
    ResultKey<int> bytes_lost{"monitor.drain.bytes_lost", "B", "Lost for want of memory."};
    ResultKey<int> peak_buffer_bytes{"monitor.drain.peak_buffer_bytes", "B",
                                     "Most in the buffer of the fullest I/O node."};
    ResultKey<int> interrupts{"monitor.drain.interrupts", "", "Of the SCSI card (drain.destination = cfs)."};
    ResultKey<int> messages{"monitor.drain.messages", "messages", "To the host (drain.destination = host)."};
    ResultKey<double> reducing_s{"monitor.drain.reducing_s", "s", "CPU time of the reduction, of all I/O nodes."};
    ResultKey<double> waiting_s{"monitor.drain.waiting_s", "s",
                                "Time that the programs waited for room in their buffers."};
    ResultKey<std::string> given_up{"monitor.drain.given_up", "", "What detail the reduction gave up."};
  } drain;
  struct Pbx {
    ResultKey<double> drain_waited_s{"monitor.pbx.drain_waited_s", "s",
                                     "dma.words > 0: how long the drain programs' accesses waited for the "
                                     "bus, all together."};
    ResultKey<double> longest_wait_us{"monitor.pbx.longest_wait_us", "us", "The one that waited longest."};
    ResultKey<int> second_bursts{"monitor.pbx.second_bursts", "bursts", "That the second masters had the bus for."};
    ResultKey<double> second_waited_s{"monitor.pbx.second_waited_s", "s",
                                      "How long the second masters waited for it, all together."};
  } pbx;
  struct Rates {
    ResultKey<double> interval_s{"rates.interval_s", "s",
                                 "hypermon: a hundredth of the measured section (Figures 10 to 13)."};
    ResultKey<std::vector<double>> frames{"rates.frames[]", "frames",
                                          "hypermon: frames that the I/O nodes' programs got, by when they were "
                                          "captured, in true time: in each hundredth. Of frames across a border "
                                          "each side has a share. Not among them: frames lost to a full FIFO, a "
                                          "bus error or want of memory, and what was in the FIFO at power-on."};
  } rates;
};
inline constexpr HypermonKeys hypermon_keys{};

} // namespace hypermon
