// The PBX-equipped I/O node with its drain program.
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/payload_pool.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <functional>
#include <optional>
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

/// With DrainedBy::reader the program's schedule is in the board (Reader), and the node collects the frames in
/// blocks, whenever drain_to() is called. With DrainedBy::bus_master it reads status, count and words through the
/// bus, and looks at every clock edge while nothing waits: slow, for tests and waves. Both give the same frames at
/// the same times. The ECB must be built with the same DrainedBy.
class IoNode : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<IoNode> pbx_initiator;

  IoNode(const sc_core::sc_module_name& name, const FrameFormat& format, const ReaderParams& reader,
         DrainedBy drained_by = DrainedBy::reader);

  /// `sink` gets what was read, in order; before anything is.
  void deliver_to(FrameSink* sink) { block_.extension().sink = sink; }
  /// DrainedBy::bus_master: a word of the frame was answered by a bus error. The program reads on to the frame's end
  /// and gives the frame up. `number`: 0, 1, ..., in the order of reading.
  void on_frame_given_up(std::function<void(std::uint64_t number, Time read_end)> sink) { given_up_ = std::move(sink); }

  // DrainedBy::reader. May be called outside any SystemC process.
  /// Frames read before `horizon`, which is not before an earlier one; the ports write nothing before it any more.
  void drain_to(Time horizon);
  /// All that is left, after the last write.
  void finish() { drain_to(Time::never()); }

private:
  void drain_by_words();
  void read_group();
  std::optional<DeliveredFrame> read_frame();
  std::uint32_t look(PbxRegister which);
  tlm::tlm_response_status read(PbxRegister which, std::uint32_t& value, sc_core::sc_time& delay);
  void wait_to_edge(Time t);

  FrameFormat format_;
  ReaderParams reader_;
  PayloadPool pool_; // of words
  ReusedPayload<FramesExtension> block_;
  std::function<void(std::uint64_t, Time)> given_up_;
  std::uint64_t frames_read_ = 0;
  std::int64_t since_stall_ = 0;
};

} // namespace hypermon
