// SPDX-License-Identifier: BSD-3-Clause
// Arbiter of the PBX: who of several masters has the bus.
#pragma once
#include "base/time.hpp"
#include "hw/core/arbiter.hpp"
#include <array>
#include <optional>
#include <string_view>
#include <systemc>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

namespace hypermon {

/// Between masters and a bus. One transaction at a time has the bus, for as long as its target says it takes: a
/// master waits in b_transport() until it has its turn, so it is a SystemC thread with one transaction at a time.
/// Whoever asks at the very instant at which the bus becomes free is among those who are chosen from. Accesses that
/// take no time have their turn as well.
class PbxArbiter : public sc_core::sc_module {
public:
  static constexpr std::size_t most_masters = 8;

  tlm_utils::multi_passthrough_target_socket<PbxArbiter> pbx_target; ///< bind each master: 0, 1, ...
  tlm_utils::simple_initiator_socket<PbxArbiter> pbx_initiator;

  /// `policy`: as Arbiter's; masters are its inputs, in the order of their binding.
  PbxArbiter(const sc_core::sc_module_name& name, Arbitration how);

private:
  using Payload = tlm::tlm_generic_payload;
  void b_transport(int master, Payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(int /*master*/, Payload& payload) { return pbx_initiator->transport_dbg(payload); }
  bool get_direct_mem_ptr(int /*master*/, Payload& payload, tlm::tlm_dmi& dmi) {
    return pbx_initiator->get_direct_mem_ptr(payload, dmi);
  }
  void becomes_free() { choose_.notify(sc_core::SC_ZERO_TIME); }
  void choose();

  Arbiter arbiter_;
  std::uint32_t waiting_ = 0; // masters
  bool taken_ = false;        // given to a master that has not yet said for how long
  sc_core::sc_time free_at_;
  std::array<sc_core::sc_event, most_masters> granted_;
  sc_core::sc_event free_;
  sc_core::sc_event choose_; // one delta cycle later, when all have asked
};

} // namespace hypermon
