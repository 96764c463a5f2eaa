// Event capture board: the CaptureBoard between the strobe lines and the PBX.
#pragma once
#include "hw/hypermon/core/capture_board.hpp"
#include "hw/hypermon/tlm/extensions.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include "hw/hypermon/tlm/sockets.hpp"
#include <tlm_utils/simple_target_socket.h>

namespace hypermon {

class Ecb : public sc_core::sc_module, private StrobeTarget {
public:
  tlm::tlm_target_socket<> strobe_target; ///< WRITE of bursts, address: input
  /// Registers (hw/hypermon/core/registers.hpp) and blocks of frames. Non-blocking requests are served one at a time,
  /// at their time, and answered by BEGIN_RESP when the bus is done with the word.
  tlm_utils::simple_target_socket<Ecb> pbx_target;

  Ecb(const sc_core::sc_module_name& name, const PortParams& port, const EcbParams& ecb, const PbxParams& pbx,
      const ReaderParams& reader, DrainedBy drained_by = DrainedBy::reader);

  CaptureBoard& board() { return board_; }
  const CaptureBoard& board() const { return board_; }

private:
  using Payload = tlm::tlm_generic_payload;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override; // of strobes
  void access(Payload& payload, sc_core::sc_time& delay);
  unsigned debug(Payload& payload);
  bool no_dmi(Payload& payload, tlm::tlm_dmi& dmi);
  tlm::tlm_response_status hand_over(const FramesExtension& block, Time at);
  std::uint32_t read_register(PbxRegister which, sc_core::sc_time& delay);

  CaptureBoard board_;
};

} // namespace hypermon
