// Event regeneration board: passes strobes and data on, a constant time later (spec sec. 5).
#pragma once
#include "hw/core/params.hpp"
#include "hw/tlm/sc_times.hpp"
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

class Erb : public sc_core::sc_module {
public:
  tlm_utils::passthrough_target_socket<Erb> backplane_in;
  tlm_utils::simple_initiator_socket<Erb> ecb_out;

  Erb(const sc_core::sc_module_name& name, const ErbParams& params);

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  sc_core::sc_time propagation_;
};

} // namespace hypermon
