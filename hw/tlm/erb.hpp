// Event regeneration board: passes strobes and data on, a constant time later (spec sec. 5).
#pragma once
#include "hw/core/params.hpp"
#include "hw/tlm/sc_times.hpp"
#include "hw/tlm/sockets.hpp"
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

class Erb : public sc_core::sc_module, private StrobeTarget {
public:
  tlm::tlm_target_socket<> strobe_target; ///< from the backplane
  tlm_utils::simple_initiator_socket<Erb> strobe_initiator;

  Erb(const sc_core::sc_module_name& name, const ErbParams& params);

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;

  sc_core::sc_time propagation_;
};

} // namespace hypermon
