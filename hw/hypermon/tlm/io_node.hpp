// SPDX-License-Identifier: BSD-3-Clause
// The PBX-equipped I/O node with its drain program.
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/payload_pool.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

class Ecb;

/// The program's schedule (Reader) is in the board. With DrainedBy::reader the node collects the frames in blocks,
/// whenever drain_to() is called. With DrainedBy::words each of its accesses is a transaction at its own time: status
/// and count once a look that finds frames, then every word; what it delivers is made of the words that it got. Both
/// give the same frames at the same times, if nobody delays an access. The ECB must be built with the same DrainedBy.
class IoNode : public sc_core::sc_module, private FrameSink {
public:
  tlm_utils::simple_initiator_socket<IoNode> pbx_initiator;

  IoNode(const sc_core::sc_module_name& name, const FrameFormat& format, DrainedBy drained_by = DrainedBy::reader);

  /// `sink` gets what was read, in order; before anything is.
  void deliver_to(FrameSink* sink) { block_.extension().sink = sink; }

  // DrainedBy::reader. May be called outside any SystemC process.
  /// Frames read before `horizon`, which is not before an earlier one; the ports write nothing before it any more.
  void drain_to(Time horizon);
  /// All that is left, after the last write.
  void finish() { drain_to(Time::never()); }

  // DrainedBy::words.
  /// Before the simulation starts.
  void run_program_of(Ecb& ecb);
  /// Resets the board now. In a SystemC thread: a bus may make it wait.
  void reset_board();
  /// How long the program's accesses have waited for the bus, all together and the one that waited longest.
  Time waited() const { return waited_; }
  Time longest_wait() const { return longest_wait_; }

private:
  void drain_by_words();
  void read_frame();
  std::uint32_t look(PbxRegister which);
  tlm::tlm_response_status access(tlm::tlm_command command, PbxRegister which, std::uint32_t& value,
                                  sc_core::sc_time& delay);
  // Of the board, DrainedBy::words: when frames were read, one at a time.
  void frames(std::span<const DeliveredFrame> frames) override;
  void stretch(const Stretch& stretch) override { frames(stretch.frames()); }

  FrameFormat format_;
  PayloadPool pool_; // of words
  ReusedPayload<FramesExtension> block_;
  Ecb* ecb_ = nullptr;
  EventFrame read_{}; // the last one that was read to its end
  Time waited_;
  Time longest_wait_;
};

} // namespace hypermon
