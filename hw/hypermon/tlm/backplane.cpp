// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/backplane.hpp"

namespace hypermon {

Backplane::Backplane(const sc_core::sc_module_name& name)
    : sc_module(name), strobe_target("strobe_target", slots), strobe_initiator("strobe_initiator") {
  for (std::uint32_t i = 0; i < slots; ++i) strobe_target[i].bind(slots_.emplace_back(*this, i));
}

void Backplane::end_of_elaboration() {
  for (unsigned i = 0; i < strobe_initiator.size(); ++i) listeners_.push_back(strobe_initiator[static_cast<int>(i)]);
  if (listeners_.size() == 1) only_listener_ = listeners_.front();
}

void Backplane::Slot::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_address(number);
  if (backplane.only_listener_ != nullptr) [[likely]]
    backplane.only_listener_->b_transport(payload, delay);
  else
    backplane.carry_to_all(number, payload, delay);
  if (payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE) [[unlikely]]
    backplane.not_captured_ += payload.get_data_length();
}

void Backplane::carry_to_all(std::uint32_t slot, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  auto answer = tlm::TLM_INCOMPLETE_RESPONSE;
  for (auto* listener : listeners_) {
    sc_core::sc_time own = delay;
    payload.set_address(slot); // an earlier listener may have changed it
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    listener->b_transport(payload, own);
    const tlm::tlm_response_status status = payload.get_response_status();
    if (answer != tlm::TLM_OK_RESPONSE && status != tlm::TLM_INCOMPLETE_RESPONSE) answer = status;
  }
  payload.set_response_status(answer);
}

} // namespace hypermon
