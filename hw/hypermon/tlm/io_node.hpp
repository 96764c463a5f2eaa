// SPDX-License-Identifier: BSD-3-Clause
// The PBX-equipped I/O node with its drain program.
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/payload_pool.hpp"
#include "hw/hypermon/tlm/register_access.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

class Ecb;

/// The program's schedule (Reader) is in the board. With DrainedBy::reader the node collects the frames in blocks,
/// whenever drain_to() is called. With DrainedBy::words each access is a transaction at its own time: status and count
/// once for each poll that finds frames, then every word; the delivered frames consist of the words that were
/// transferred. Both give the same frames at the same times unless a module delays an access. The ECB must be built
/// with the same DrainedBy.
class IoNode : public sc_core::sc_module, private FrameSink {
public:
  tlm_utils::simple_initiator_socket<IoNode> pbx_initiator;

  /// blocks: frames are collected in blocks, with DrainedBy::reader. The other modes are for DrainedBy::words. in_time:
  /// a SystemC thread makes each access at SystemC's time. Other modules may make it wait, and a reset may interrupt
  /// it. ahead: the accesses are made in the board's SystemC method, with annotated times. They take the time that the
  /// target annotates and no more, and the board is never reset. on_call: drain_to() makes them, with annotated times
  /// (Ecb::Pace::caller).
  enum class Accesses : std::uint8_t { blocks, in_time, ahead, on_call };
  IoNode(const sc_core::sc_module_name& name, const FrameFormat& format, Accesses accesses = Accesses::blocks);

  /// `sink` receives the frames in the order of reading. To be called before the first frame is read.
  void deliver_to(FrameSink* sink) { block_.extension().sink = sink; }

  // For Accesses::blocks and on_call. May be called outside any SystemC process.
  /// Delivers the frames read before `horizon`, which must not decrease. The ports must write nothing before it
  /// afterwards.
  void drain_to(Time horizon);
  /// Delivers all remaining frames, after the last write.
  void finish() { drain_to(Time::never()); }

  // For DrainedBy::words.
  /// To be called before the simulation starts.
  void run_program_of(Ecb& ecb);
  /// Resets the board at `at`, which is now or, with Ecb::Pace::caller, may be in the past. With Accesses::in_time it
  /// needs a SystemC thread, because a bus may make the access wait.
  void reset_board(Time at);
  /// Time that the program's accesses have waited for the bus: the sum, and the longest wait of one access.
  Time waited() const { return registers_.waited(); }
  Time longest_wait() const { return registers_.longest_wait(); }

private:
  void drain_by_words(); // SystemC process
  void act(Time edge);
  void read_frame_ahead(sc_core::sc_time delay);
  void read_frame();
  void poll();
  tlm::tlm_response_status access(tlm::tlm_command command, PbxRegister which, std::uint32_t& value,
                                  sc_core::sc_time& delay);
  // DrainedBy::words: the board reports the end of each frame, one at a time.
  void frames(std::span<const DeliveredFrame> frames) override;
  void stretch(const Stretch& stretch) override { frames(stretch.frames()); }

  FrameFormat format_;
  Accesses accesses_;
  RegisterAccess registers_;
  ReusedPayload<FramesExtension> block_;
  Ecb* ecb_ = nullptr;
  EventFrame read_{};        // last frame that was read completely
  std::uint64_t polls_ = 0;  // reads of status
  std::uint64_t groups_ = 0; // reads of the frame count
};

} // namespace hypermon
