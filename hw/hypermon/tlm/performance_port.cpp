// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/performance_port.hpp"
#include <algorithm>

namespace hypermon {

PerformancePort::PerformancePort(const sc_core::sc_module_name& name)
    : sc_module(name), strobe_initiator("strobe_initiator") {
  require_picoseconds();
}

tlm::tlm_response_status PerformancePort::write(Time first, Time spacing, std::span<const std::uint8_t> data,
                                                bool flag_first) {
  if (datum_bytes_ == 0) [[likely]]
    return send(first, spacing, data, flag_first);
  auto answer = tlm::TLM_OK_RESPONSE;
  for (std::size_t at = 0; at < data.size(); at += datum_bytes_, first += spacing) {
    const auto status =
        send(first, 0_ps, data.subspan(at, std::min(datum_bytes_, data.size() - at)), flag_first && at == 0);
    if (status != tlm::TLM_OK_RESPONSE) answer = status;
  }
  return answer;
}

tlm::tlm_response_status PerformancePort::send(Time first, Time spacing, std::span<const std::uint8_t> data,
                                               bool flag_first) {
  tlm::tlm_generic_payload& payload = burst_.payload();
  burst_.extension().spacing = spacing;
  burst_.extension().flag_first = flag_first;
  set_strobes(payload, 0, data); // the address is 0, as the backplane knows the slot
  sc_core::sc_time delay = to_sc_time(first - now(*this));
  target_->b_transport(payload, delay);
  return payload.get_response_status();
}

} // namespace hypermon
