// The PBX-equipped I/O node with its drain program.
#pragma once
#include "hw/core/capture_board.hpp"
#include "hw/tlm/extensions.hpp"
#include "hw/tlm/payload_pool.hpp"
#include "hw/tlm/sc_times.hpp"
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

  // DrainedBy::reader. May be called outside any SystemC process.
  /// Frames read before `horizon`, which is not before an earlier one; the ports write nothing before it any more.
  void drain_to(Time horizon);
  /// All that is left, after the last write.
  void finish() { drain_to(Time::never()); }

private:
  void drain_by_words();
  void read_group();
  DeliveredFrame read_frame();
  std::uint32_t read(PbxRegister which, sc_core::sc_time& delay);
  void wait_to_edge(Time t);

  FrameFormat format_;
  ReaderParams reader_;
  PayloadPool pool_; // of words
  ReusedPayload<FramesExtension> block_;
  std::int64_t since_stall_ = 0;
};

} // namespace hypermon
