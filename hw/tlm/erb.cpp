#include "hw/tlm/erb.hpp"

namespace hypermon {

Erb::Erb(const sc_core::sc_module_name& name, const ErbParams& params)
    : sc_module(name), strobe_target("strobe_target"), strobe_initiator("strobe_initiator"),
      propagation_(to_sc_time(Time::from_ns(params.propagation_ns))) {
  strobe_target.bind(*this);
}

void Erb::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  delay += propagation_;
  strobe_initiator->b_transport(payload, delay);
}

} // namespace hypermon
