#include "hw/tlm/performance_port.hpp"

namespace hypermon {

PerformancePort::PerformancePort(const sc_core::sc_module_name& name, std::uint32_t slot)
    : sc_module(name), backplane_out("backplane_out"), slot_(slot) {
  require_picoseconds();
  payload_.set_command(tlm::TLM_WRITE_COMMAND);
  payload_.set_extension(&burst_);
}

PerformancePort::~PerformancePort() { payload_.clear_extension(&burst_); }

tlm::tlm_response_status PerformancePort::write(Time first, Time spacing, std::span<const std::uint8_t> data,
                                                bool flag_first) {
  burst_.spacing = spacing;
  burst_.flag_first = flag_first;
  payload_.set_address(slot_);
  payload_.set_data_ptr(const_cast<unsigned char*>(data.data())); // a WRITE's data are only read
  payload_.set_data_length(static_cast<unsigned>(data.size()));
  payload_.set_streaming_width(static_cast<unsigned>(data.size()));
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = annotation(first);
  backplane_out->b_transport(payload_, delay);
  return payload_.get_response_status();
}

} // namespace hypermon
