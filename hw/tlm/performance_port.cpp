#include "hw/tlm/performance_port.hpp"

namespace hypermon {

PerformancePort::PerformancePort(const sc_core::sc_module_name& name)
    : sc_module(name), strobe_initiator("strobe_initiator") {
  require_picoseconds();
}

tlm::tlm_response_status PerformancePort::write(Time first, Time spacing, std::span<const std::uint8_t> data,
                                               bool flag_first) {
  tlm::tlm_generic_payload& payload = burst_.payload();
  burst_.extension().spacing = spacing;
  burst_.extension().flag_first = flag_first;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(0);                                        // the slot knows its number
  payload.set_data_ptr(const_cast<unsigned char*>(data.data())); // a WRITE's data are only read
  payload.set_data_length(static_cast<unsigned>(data.size()));
  payload.set_streaming_width(static_cast<unsigned>(data.size()));
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = to_sc_time(first - now(*this));
  strobe_initiator->b_transport(payload, delay);
  return payload.get_response_status();
}

} // namespace hypermon
