// Event capture board: the CaptureBoard between the strobe lines and the PBX.
#pragma once
#include "hw/core/capture_board.hpp"
#include "hw/tlm/extensions.hpp"
#include "hw/tlm/sc_times.hpp"
#include <tlm_utils/passthrough_target_socket.h>

namespace hypermon {

class Ecb : public sc_core::sc_module {
public:
  tlm_utils::passthrough_target_socket<Ecb> strobes_in; ///< WRITE of bursts, address: input
  tlm_utils::passthrough_target_socket<Ecb> pbx_target; ///< registers (hw/core/registers.hpp) and blocks of frames

  Ecb(const sc_core::sc_module_name& name, const PortParams& port, const EcbParams& ecb, const PbxParams& pbx,
      const ReaderParams& reader, DrainedBy drained_by = DrainedBy::reader);

  CaptureBoard& board() { return board_; }
  const CaptureBoard& board() const { return board_; }

private:
  using Payload = tlm::tlm_generic_payload;
  void strobes(Payload& payload, sc_core::sc_time& delay);
  void access(Payload& payload, sc_core::sc_time& delay);
  unsigned debug(Payload& payload);
  tlm::tlm_response_status write_burst(const Payload& payload, Time at);
  tlm::tlm_response_status hand_over(const FramesExtension& block, Time at);
  std::uint32_t read_register(PbxRegister which, sc_core::sc_time& delay);

  CaptureBoard board_;
};

} // namespace hypermon
