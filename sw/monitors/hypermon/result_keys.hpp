// SPDX-License-Identifier: BSD-3-Clause
// Result keys of HYPERMON.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct HypermonKeys {
  struct Frames {
    ResultKey<int> built{"monitor.frames.built", "frames", "Number of frames that HYPERMON's frame builders made."};
    ResultKey<int> lost{"monitor.frames.lost", "frames",
                        "Number of frames lost because HYPERMON's frame FIFO was full."};
    ResultKey<int> merged{"monitor.frames.merged", "nibbles",
                          "Number of nibbles in HYPERMON's frames beyond the first of each frame."};
    ResultKey<int> drained{"monitor.frames.drained", "frames",
                           "Number of frames that the I/O nodes read from HYPERMON's boards."};
    ResultKey<int> peak_occupancy{"monitor.frames.peak_occupancy", "frames",
                                  "Largest number of frames in the frame FIFO of any HYPERMON board."};
  } frames;
  ResultKey<bool> overrun{"monitor.overrun", "", "hypermon: True if any frame was lost to a full frame FIFO."};
  ResultKey<std::optional<double>> first_overrun_s{
      "monitor.first_overrun_s", "s", "Time at which monitor.overrun became true; null if it stayed false."};
  ResultKey<int> strobes{"monitor.strobes", "nibbles", "Number of strobes that reached HYPERMON's boards."};
  ResultKey<int> aliasing{"monitor.aliasing", "nibbles",
                          "Number of nibbles lost because their node strobed a second time within one window."};
  ResultKey<int> node_overruns{"monitor.node_overruns", "nibbles",
                               "Number of nibbles lost because HYPERMON's node FIFO was full."};
  ResultKey<int> windows_lost{"monitor.windows_lost", "windows",
                              "Number of windows lost because HYPERMON's strobe-vector FIFO was full."};
  ResultKey<int> discarded{"monitor.discarded", "nibbles", "Number of nibbles in the windows that HYPERMON lost."};
  ResultKey<double> end_s{"monitor.end_s", "s", "hypermon: End of the last frame read by an I/O node."};
  ResultKey<int> spurious_events{"monitor.spurious_events", "events",
                                 "Number of events that HYPERMON's decoder produced, but no node emitted."};
  ResultKey<int> falsified_events{"monitor.falsified_events", "events",
                                  "Number of events that HYPERMON's decoder produced in place of events changed by bit "
                                  "errors, skew or unsettled data. The ledger counts the original events as lost."};
  ResultKey<int> garbage_nibbles{
      "monitor.garbage_nibbles", "nibbles",
      "Number of nibbles read from HYPERMON's frames that no node wrote: those in the FIFO at "
      "power-on, and those that a user's board invented."};
  ResultKey<int> ambiguous_silences{
      "monitor.ambiguous_silences", "",
      "Number of silences during which the timestamp may have wrapped more often than HYPERMON's decoder can tell."};
  ResultKey<int> impossible_frames{
      "monitor.impossible_frames", "frames",
      "Number of frames that HYPERMON's decoder gave up because no run of this board can produce them."};
  ResultRemark latency{"latency_us.max", "us",
                       "hypermon: An event is delivered when its last nibble has been read. The first event after a "
                       "loss is delivered once the next event of its node confirms it. That can be much later, because "
                       "the decoder cannot know its start before."};
  ResultKey<double> held_s{"monitor.held_s", "s",
                           "hypermon: Time by which full node FIFOs prolonged the writes of all nodes, in total."};
  struct Drain {
    ResultKey<int> bytes_read{"monitor.drain.bytes_read", "B",
                              "Bytes that all I/O nodes read from HYPERMON over the PBX."};
    ResultKey<int> bytes_kept{
        "monitor.drain.bytes_kept", "B",
        "Bytes of HYPERMON's data that remained after the reduction and that the destination accepted."};
    ResultKey<int> bytes_lost{"monitor.drain.bytes_lost", "B",
                              "Bytes of HYPERMON's data that the I/O nodes lost because their memory was full."};
    ResultKey<int> peak_buffer_bytes{"monitor.drain.peak_buffer_bytes", "B",
                                     "Largest number of bytes in the buffer of any I/O node."};
    ResultKey<int> interrupts{"monitor.drain.interrupts", "",
                              "Number of interrupts by the I/O nodes' SCSI cards (drain.destination = cfs)."};
    ResultKey<int> messages{"monitor.drain.messages", "messages",
                            "Number of messages from the I/O nodes to the host (drain.destination = host)."};
    ResultKey<double> reducing_s{"monitor.drain.reducing_s", "s", "CPU time of the reduction on all I/O nodes."};
    ResultKey<double> waiting_s{"monitor.drain.waiting_s", "s",
                                "Time that the I/O nodes' drain programs waited for room in their buffers."};
    ResultKey<std::string> given_up{
        "monitor.drain.given_up", "",
        "Detail of the event data that the reduction gave up; empty if it kept everything."};
  } drain;
  struct Pbx {
    ResultKey<double> drain_waited_s{"monitor.pbx.drain_waited_s", "s",
                                     "Time that all accesses of the drain programs waited for the PBX, in total; "
                                     "absent without a second master (dma.words)."};
    ResultKey<double> longest_wait_us{"monitor.pbx.longest_wait_us", "us",
                                      "Longest time that one access of a drain program waited for the PBX."};
    ResultKey<int> second_bursts{"monitor.pbx.second_bursts", "bursts",
                                 "Number of bursts of the second masters on the PBX."};
    ResultKey<double> second_waited_s{"monitor.pbx.second_waited_s", "s",
                                      "Time that the second masters waited for the PBX, in total."};
  } pbx;
  struct Erb {
    ResultKey<int> short_pulses{"monitor.erb.short_pulses", "nibbles",
                                "Number of nibbles lost because their strobe's pulse was shorter than "
                                "erb.min_pulse_ns; absent with an ideal event regeneration board."};
    ResultKey<int> overlapping_pulses{"monitor.erb.overlapping_pulses", "nibbles",
                                      "Number of nibbles lost because their strobe came within erb.pulse_ns of the "
                                      "node's last regenerated strobe."};
    ResultKey<int> unsettled_data{"monitor.erb.unsettled_data", "nibbles",
                                  "Number of nibbles with a wrong value because the event regeneration board sampled "
                                  "them before they had settled (erb.setup_ns)."};
  } erb;
  struct OwnBoards {
    ResultKey<int> unmatched_frames{"monitor.board.unmatched_frames", "frames",
                                    "Number of frames from a user's board with data that no node wrote in the "
                                    "frame's window; absent without ecb.module or ecb.rtl."};
    ResultKey<int> unmatched_reports{"monitor.board.unmatched_reports", "",
                                     "Number of losses that a user's board reported, but that fit no strobe."};
    struct Values {
      ResultList list{"monitor.board.values[]"};
      ResultKey<int> board{"monitor.board.values[].board", "", "Number of the user's board that reported the value."};
      ResultKey<std::string> key{"monitor.board.values[].key", "", "Name that the user's board gives to the value."};
      ResultKey<double> value{"monitor.board.values[].value", "", "Value in the unit that the board names."};
      ResultKey<std::string> unit{"monitor.board.values[].unit", "",
                                  "Unit of the value; empty for a number without one."};
      ResultKey<std::string> description{"monitor.board.values[].description", "",
                                         "Description of the value, as the user's board gives it."};
    } values;
    struct Lockstep {
      ResultKey<int> equal_frames{"monitor.board.lockstep.equal_frames", "frames",
                                  "Number of frames of the user's boards that equal those of HYPERMON's "
                                  "functional model; absent without ecb.lockstep."};
      ResultKey<int> differences{"monitor.board.lockstep.differences", "",
                                 "Number of frames and lost words in which a user's board differs from "
                                 "HYPERMON's functional model."};
      struct First {
        ResultGroup group{"monitor.board.lockstep.first"};
        ResultKey<int> board{"monitor.board.lockstep.first.board", "", "Number of the board that differed first."};
        ResultKey<int> window{"monitor.board.lockstep.first.window", "",
                              "Number of the window of the first frame or word that differs."};
        ResultKey<std::optional<int>> input{"monitor.board.lockstep.first.input", "",
                                            "First input that differs in the window of the first difference; null if "
                                            "only the timestamp or the time of the read differs."};
        ResultKey<double> time_s{"monitor.board.lockstep.first.time_s", "s",
                                 "Time at which the read of the first differing frame ended, or at which the first "
                                 "differing word was lost."};
        ResultKey<std::string> expected{"monitor.board.lockstep.first.expected", "",
                                        "Frame or loss of HYPERMON's functional model at the first difference."};
        ResultKey<std::string> actual{"monitor.board.lockstep.first.actual", "",
                                      "Frame or loss of the board at the first difference."};
      } first;
    } lockstep;
  } own_boards;
  struct Rates {
    ResultKey<double> interval_s{"rates.interval_s", "s",
                                 "Length of one hundredth of the measured section (Figures 10 to 13)."};
    ResultKey<std::vector<double>> frames{
        "rates.frames[]", "frames",
        "Number of captured frames that the I/O nodes' programs received, for each hundredth of the measured section "
        "by true capture time. A frame across two intervals counts in both by its shares. Frames lost to a full FIFO, "
        "a bus error or lack of memory and frames present at power-on are not counted."};
  } rates;
};
inline constexpr HypermonKeys hypermon_keys{};

} // namespace hypermon
