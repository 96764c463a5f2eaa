#include "hw/tlm/backplane.hpp"

namespace hypermon {

Backplane::Backplane(const sc_core::sc_module_name& name) : sc_module(name), nodes_in("nodes_in"), erb_out("erb_out") {
  nodes_in.register_b_transport(this, &Backplane::b_transport);
}

void Backplane::b_transport(int /*id*/, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const unsigned length = payload.get_data_length();
  if (payload.get_address() < slots)
    erb_out->b_transport(payload, delay);
  else
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE) not_captured_ += length;
}

} // namespace hypermon
