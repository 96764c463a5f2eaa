// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/pbx_arbiter.hpp"

namespace hypermon {

PbxArbiter::PbxArbiter(const sc_core::sc_module_name& name, Arbitration how)
    : sc_module(name), pbx_target("pbx_target"), pbx_initiator("pbx_initiator"), arbiter_(how) {
  pbx_target.register_b_transport(this, &PbxArbiter::b_transport);
  pbx_target.register_transport_dbg(this, &PbxArbiter::transport_dbg);
  pbx_target.register_get_direct_mem_ptr(this, &PbxArbiter::get_direct_mem_ptr);
  SC_HAS_PROCESS(PbxArbiter);
  SC_METHOD(becomes_free);
  sensitive << free_;
  dont_initialize();
  SC_METHOD(choose);
  sensitive << choose_;
  dont_initialize();
}

void PbxArbiter::b_transport(int master, Payload& payload, sc_core::sc_time& delay) {
  const auto who = static_cast<std::size_t>(master);
  const std::uint32_t bit = 1u << who;
  if (who >= most_masters || (waiting_ & bit) != 0)
    return SC_REPORT_ERROR("pbx_arbiter", "more masters or transactions than it can tell apart");
  if (delay > sc_core::SC_ZERO_TIME) wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  waiting_ |= bit;
  choose_.notify(sc_core::SC_ZERO_TIME);
  wait(granted_[who]);
  pbx_initiator->b_transport(payload, delay);
  taken_ = false;
  free_at_ = sc_core::sc_time_stamp() + delay;
  free_.notify(delay);
}

void PbxArbiter::choose() {
  if (taken_ || waiting_ == 0 || sc_core::sc_time_stamp() < free_at_) return;
  const std::uint32_t who = arbiter_.choose(waiting_);
  waiting_ &= ~(1u << who);
  taken_ = true;
  granted_[who].notify();
}

} // namespace hypermon
