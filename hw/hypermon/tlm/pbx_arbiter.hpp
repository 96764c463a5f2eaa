// SPDX-License-Identifier: BSD-3-Clause
// Arbiter of the PBX: decides which of several masters gets the bus.
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

/// Stands between masters and a bus. One transaction at a time has the bus, for the time that its target returns. A
/// master waits in b_transport() for its turn; it is therefore a SystemC thread with one transaction at a time. Masters
/// that request the bus at the very instant at which it becomes free take part in the choice. Accesses that take no
/// time need their turn as well.
class PbxArbiter : public sc_core::sc_module {
public:
  static constexpr std::size_t most_masters = 8;

  tlm_utils::multi_passthrough_target_socket<PbxArbiter> pbx_target; ///< bind each master: 0, 1, ...
  tlm_utils::simple_initiator_socket<PbxArbiter> pbx_initiator;

  /// `how`: policy as in Arbiter. Masters are its inputs, in the order of binding.
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
  std::uint32_t waiting_ = 0; // bits of the waiting masters
  bool taken_ = false;        // given to a master whose transfer time is not yet known
  sc_core::sc_time free_at_;
  std::array<sc_core::sc_event, most_masters> granted_;
  sc_core::sc_event free_;
  sc_core::sc_event choose_; // notified one delta cycle later, when all masters have requested
};

} // namespace hypermon
