// The cabinet's backplane: 32 slots, 160 signals (HYPERMON sec. 3.1).
#pragma once
#include "hw/tlm/sc_times.hpp"
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

/// Carries a write to the ERB; its address is the writer's slot.
class Backplane : public sc_core::sc_module {
public:
  static constexpr std::uint32_t slots = 32;

  tlm_utils::multi_passthrough_target_socket<Backplane, 32, tlm::tlm_base_protocol_types, slots> nodes_in;
  tlm_utils::simple_initiator_socket<Backplane> erb_out;

  explicit Backplane(const sc_core::sc_module_name& name);

  /// Data written by nodes that no board captures (TLM_ADDRESS_ERROR_RESPONSE): in a slot beyond the board's inputs.
  std::uint64_t not_captured() const { return not_captured_; }

private:
  void b_transport(int id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);

  std::uint64_t not_captured_ = 0;
};

} // namespace hypermon
