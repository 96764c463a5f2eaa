// SPDX-License-Identifier: BSD-3-Clause
// The cabinet's backplane: 32 slots, 160 signals (HYPERMON sec. 3.1).
#pragma once
#include "hw/hypermon/tlm/sockets.hpp"
#include <deque>
#include <systemc>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <vector>

namespace hypermon {

/// Carries the writes of each slot to every listener: the capture side (an ERB or a module of the user) and probes. The
/// address that a listener sees is the slot. The writer gets OK if any listener answers OK, else an error if any
/// listener answers with one. A listener that only observes leaves the response status unchanged.
class Backplane : public sc_core::sc_module {
public:
  static constexpr std::uint32_t slots = 32;
  using SlotSocket = tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;

  sc_core::sc_vector<SlotSocket> strobe_target;                              ///< one for each slot; may stay unbound
  tlm_utils::multi_passthrough_initiator_socket<Backplane> strobe_initiator; ///< bind each listener; they never wait

  explicit Backplane(const sc_core::sc_module_name& name);

  /// Data written in slots beyond the board's inputs, which no listener accepts (TLM_ADDRESS_ERROR_RESPONSE).
  std::uint64_t not_captured() const { return not_captured_; }

private:
  struct Slot : StrobeTarget {
    Slot(Backplane& b, std::uint32_t n) : backplane(b), number(n) {}
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    Backplane& backplane;
    std::uint32_t number;
  };
  void end_of_elaboration() override;
  void carry_to_all(std::uint32_t slot, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

  std::deque<Slot> slots_;
  std::vector<tlm::tlm_fw_transport_if<>*> listeners_;
  tlm::tlm_fw_transport_if<>* only_listener_ = nullptr; // null if there are several
  std::uint64_t not_captured_ = 0;
};

} // namespace hypermon
