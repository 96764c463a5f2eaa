// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include "hw/hypermon/tlm/bus_watch.hpp"
#include "hw/hypermon/tlm/sc_times.hpp"
#include <algorithm>

namespace hypermon {

PbxBus::PbxBus(const sc_core::sc_module_name& name)
    : sc_module(name), pbx_target("pbx_target"), pbx_initiator("pbx_initiator"), due_(this, &PbxBus::due) {
  pbx_target.register_b_transport(this, &PbxBus::b_transport);
  pbx_target.register_nb_transport_fw(this, &PbxBus::from_initiator);
  pbx_target.register_transport_dbg(this, &PbxBus::transport_dbg);
  pbx_target.register_get_direct_mem_ptr(this, &PbxBus::get_direct_mem_ptr);
  pbx_initiator.register_nb_transport_bw(this, &PbxBus::from_target);
}

void PbxBus::inject_errors(const FaultParams& faults, AddressRange range) {
  if (PbxFaults::any(faults)) faults_.emplace(faults);
  faulty_ = range;
}

// Called after the target's response, with the initiator's address restored.
void PbxBus::maybe_fail(Payload& payload) {
  if (!faults_ || !payload.is_read() || !payload.is_response_ok() || !faulty_.contains(payload.get_address())) return;
  if (faults_->next_word_fails()) payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

std::optional<std::size_t> PbxBus::decode(std::uint64_t address) const {
  for (std::size_t target = 0; target < ranges_.size(); ++target) // one or two: faster than std::find_if
    if (ranges_[target].contains(address)) return target;
  return std::nullopt;
}

// --- blocking ---

void PbxBus::b_transport(int /*initiator*/, Payload& payload, sc_core::sc_time& delay) {
  const std::uint64_t address = payload.get_address();
  const auto target = decode(address);
  if (!target) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (watch_ != nullptr) [[unlikely]]
    watch_->begins(payload);
  payload.set_address(address - ranges_[*target].base);
  const Time begin = now(*this);
  pbx_initiator[static_cast<int>(*target)]->b_transport(payload, delay);
  target_took_ = now(*this) - begin;
  payload.set_address(address);
  maybe_fail(payload);
  if (watch_ != nullptr) [[unlikely]]
    watch_->ends(payload, sc_core::sc_time_stamp() + delay);
}

unsigned PbxBus::transport_dbg(int /*initiator*/, Payload& payload) {
  const std::uint64_t address = payload.get_address();
  const auto target = decode(address);
  if (!target) return 0;
  payload.set_address(address - ranges_[*target].base);
  const unsigned bytes = pbx_initiator[static_cast<int>(*target)]->transport_dbg(payload);
  payload.set_address(address);
  return bytes;
}

// Moves a target's DMI region to its bus addresses. Addresses without a target have no memory.
bool PbxBus::get_direct_mem_ptr(int /*initiator*/, Payload& payload, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = payload.get_address();
  const auto target = decode(address);
  if (!target) return refuse_dmi(dmi, address, address);
  const AddressRange range = ranges_[*target];
  payload.set_address(address - range.base);
  const bool granted = pbx_initiator[static_cast<int>(*target)]->get_direct_mem_ptr(payload, dmi);
  payload.set_address(address);
  dmi.set_start_address(range.base + std::min<std::uint64_t>(dmi.get_start_address(), range.size - 1));
  dmi.set_end_address(range.base + std::min<std::uint64_t>(dmi.get_end_address(), range.size - 1));
  return granted;
}

// --- non-blocking: four phases, one transfer at a time ---

tlm::tlm_sync_enum PbxBus::from_initiator(int initiator, Payload& payload, tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    payload.acquire(); // released in end_current()
    coming_.push_back({initiator, &payload, payload.get_address()});
    due_.notify(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
  }
  if (phase == tlm::END_RESP && current_ && current_->payload == &payload)
    due_.notify(payload, phase, delay);
  else
    SC_REPORT_ERROR("pbx_bus", "an initiator broke the base protocol");
  return tlm::TLM_COMPLETED;
}

void PbxBus::due(Payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::END_RESP) return end_current();
  const auto transfer =
      std::find_if(coming_.begin(), coming_.end(), [&](const Transfer& t) { return t.payload == &payload; });
  waiting_.push_back(*transfer);
  coming_.erase(transfer);
  start_next();
}

void PbxBus::start_next() {
  while (!current_ && !waiting_.empty()) {
    current_ = waiting_.front();
    waiting_.pop_front();
    target_wants_end_ = false;
    request();
  }
}

void PbxBus::request() {
  Payload& payload = *current_->payload;
  sc_core::sc_time delay;
  const auto target = decode(current_->address);
  if (!target) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    respond(delay);
    return;
  }
  if (watch_ != nullptr) [[unlikely]]
    watch_->begins(payload);
  target_ = *target;
  payload.set_address(current_->address - ranges_[target_].base);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  const auto answer = pbx_initiator[static_cast<int>(target_)]->nb_transport_fw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED)
    respond(delay);
  else if (answer == tlm::TLM_UPDATED)
    from_target(static_cast<int>(target_), payload, phase, delay);
}

tlm::tlm_sync_enum PbxBus::from_target(int target, Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (!current_ || current_->payload != &payload || static_cast<std::size_t>(target) != target_) {
    SC_REPORT_ERROR("pbx_bus", "a target broke the base protocol");
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ) return pbx_target[current_->initiator]->nb_transport_bw(payload, phase, delay);
  target_wants_end_ = true;
  return respond(delay);
}

// Sends BEGIN_RESP to the initiator. The target gets END_RESP at the time of the response's end.
tlm::tlm_sync_enum PbxBus::respond(sc_core::sc_time& delay) {
  Payload& payload = *current_->payload;
  payload.set_address(current_->address);
  maybe_fail(payload);
  if (watch_ != nullptr) [[unlikely]]
    watch_->ends(payload, sc_core::sc_time_stamp() + delay);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  const auto answer = pbx_target[current_->initiator]->nb_transport_bw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    due_.notify(payload, tlm::END_RESP, delay);
  return tlm::TLM_ACCEPTED;
}

void PbxBus::end_current() {
  Payload& payload = *current_->payload;
  if (target_wants_end_) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    pbx_initiator[static_cast<int>(target_)]->nb_transport_fw(payload, phase, delay);
  }
  current_.reset();
  payload.release();
  start_next();
}

} // namespace hypermon
