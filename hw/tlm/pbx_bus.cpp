#include "hw/tlm/pbx_bus.hpp"

namespace hypermon {

namespace {
bool in_ecb(std::uint64_t address) {
  return address >= PbxBus::ecb_base && address - PbxBus::ecb_base < pbx_register_bytes;
}
} // namespace

PbxBus::PbxBus(const sc_core::sc_module_name& name) : sc_module(name), io_node_in("io_node_in"), ecb_out("ecb_out") {
  io_node_in.register_b_transport(this, &PbxBus::b_transport);
  io_node_in.register_transport_dbg(this, &PbxBus::transport_dbg);
}

void PbxBus::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  if (!in_ecb(address)) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  payload.set_address(address - ecb_base);
  ecb_out->b_transport(payload, delay);
  payload.set_address(address);
}

unsigned PbxBus::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  if (!in_ecb(address)) return 0;
  payload.set_address(address - ecb_base);
  const unsigned bytes = ecb_out->transport_dbg(payload);
  payload.set_address(address);
  return bytes;
}

} // namespace hypermon
