#include "hw/tlm/erb.hpp"

namespace hypermon {

Erb::Erb(const sc_core::sc_module_name& name, const ErbParams& params)
    : sc_module(name), backplane_in("backplane_in"), ecb_out("ecb_out"),
      propagation_(to_sc_time(Time::from_ns(params.propagation_ns))) {
  backplane_in.register_b_transport(this, &Erb::b_transport);
}

void Erb::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  sc_core::sc_time later = delay + propagation_;
  ecb_out->b_transport(payload, later);
}

} // namespace hypermon
