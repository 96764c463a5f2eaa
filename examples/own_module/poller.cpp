// SPDX-License-Identifier: BSD-3-Clause
#include "poller.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"

using hypermon::PbxRegister;

Poller::Poller(const sc_core::sc_module_name& name, hypermon::Time period)
    : sc_module(name), period_(hypermon::to_sc_time(period)) {
  SC_HAS_PROCESS(Poller);
  SC_THREAD(run);
}

void Poller::run() {
  local_.reset();
  for (;;) {
    local_.inc(period_); // work that touches nothing shared may run ahead ...
    if (local_.need_sync()) local_.sync();
    if ((read(PbxRegister::status) & hypermon::status_bits::frame_available) == 0) continue;
    for (std::uint32_t n = read(PbxRegister::frame_count); n > 0; --n)
      for (std::uint32_t& word : frames_.emplace_back()) word = read(PbxRegister::frame_fifo);
  }
}

std::uint32_t Poller::read(PbxRegister which) {
  local_.sync(); // ... but reading a register has side effects: not before its time
  std::uint32_t value = 0;
  tlm::tlm_generic_payload& payload = pool_.acquire();
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(hypermon::PbxBus::ecb_base + static_cast<std::uint64_t>(which));
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
  payload.set_data_length(sizeof value);
  payload.set_streaming_width(sizeof value);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = local_.get_local_time();
  pbx_initiator->b_transport(payload, delay);
  local_.set(delay); // the word took its time on the bus
  if (payload.is_response_error()) SC_REPORT_ERROR("poller", payload.get_response_string().c_str());
  payload.release();
  return value;
}
