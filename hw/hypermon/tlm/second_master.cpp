// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/second_master.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <algorithm>
#include <cstring>

namespace hypermon {

SecondMaster::SecondMaster(const sc_core::sc_module_name& name, const SecondMasterParams& params, Time phase)
    : sc_module(name), phase_(phase), period_(params.period_ns), words_(static_cast<std::size_t>(params.words) * 4) {
  require_picoseconds();
  SC_HAS_PROCESS(SecondMaster);
  SC_THREAD(run);
}

void SecondMaster::run() {
  for (Time due = phase_;; due += period_) {
    const Time now = to_time(sc_core::sc_time_stamp());
    if (due > now) wait(to_sc_time(due - now));
    if (is_over_()) return;
    const Time asked = to_time(sc_core::sc_time_stamp());
    tlm::tlm_generic_payload& burst = pool_.acquire();
    burst.set_command(tlm::TLM_WRITE_COMMAND);
    burst.set_address(PbxMemory::addresses.base);
    burst.set_data_ptr(words_.data());
    burst.set_data_length(static_cast<unsigned>(words_.size()));
    burst.set_streaming_width(static_cast<unsigned>(words_.size()));
    burst.set_byte_enable_ptr(nullptr);
    burst.set_dmi_allowed(false);
    burst.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_core::sc_time delay;
    pbx_initiator->b_transport(burst, delay);
    if (burst.is_response_error()) SC_REPORT_ERROR("second_master", burst.get_response_string().c_str());
    burst.release();
    ++totals_.bursts;
    totals_.waited += to_time(sc_core::sc_time_stamp()) - asked;
    wait(delay);
  }
}

PbxMemory::PbxMemory(const sc_core::sc_module_name& name, const PbxParams& params)
    : sc_module(name), word_(to_sc_time(params.word_ns)), burst_start_(to_sc_time(params.burst_start_ns)) {
  pbx_target.register_b_transport(this, &PbxMemory::b_transport);
}

void PbxMemory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const unsigned bytes = payload.get_data_length();
  if (payload.get_address() + bytes > addresses.size)
    return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (bytes == 0 || bytes % 4 != 0) return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  if (payload.is_read()) std::memset(payload.get_data_ptr(), 0, bytes);
  delay += burst_start_ + word_ * (bytes / 4);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

} // namespace hypermon
