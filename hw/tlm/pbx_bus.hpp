// The PBX bus between the I/O node and the capture board: decodes addresses.
#pragma once
#include "hw/core/registers.hpp"
#include "hw/tlm/sc_times.hpp"
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace hypermon {

class PbxBus : public sc_core::sc_module {
public:
  /// Where the ECB's registers are in the I/O node's PBX space (chosen).
  static constexpr std::uint64_t ecb_base = 0x1000;

  tlm_utils::simple_target_socket<PbxBus> io_node_in;
  tlm_utils::simple_initiator_socket<PbxBus> ecb_out;

  explicit PbxBus(const sc_core::sc_module_name& name);

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
};

} // namespace hypermon
