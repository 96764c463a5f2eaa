// SPDX-License-Identifier: BSD-3-Clause
// Observation of a PBX and its masters, for waves. A run without waves has none of these.
#pragma once
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace hypermon {

/// Receives the transactions of one bus at SystemC's time. A payload is known by its address from request to end.
class BusWatch {
public:
  virtual ~BusWatch() = default;
  enum class Master : std::uint8_t { none, io_node, second_master, module };
  /// A master requests the bus. A transaction of a user's module is not announced.
  virtual void requests(Master master, const tlm::tlm_generic_payload& payload) = 0;
  /// The bus passes the transaction on to its target.
  virtual void begins(const tlm::tlm_generic_payload& payload) = 0;
  /// The target has answered. The transaction has the bus until `end`, which is now or later.
  virtual void ends(const tlm::tlm_generic_payload& payload, sc_core::sc_time end) = 0;
};

/// Stands behind a master with blocking accesses and announces them.
class PbxTap : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<PbxTap> pbx_target{"pbx_target"};
  tlm_utils::simple_initiator_socket<PbxTap> pbx_initiator{"pbx_initiator"};

  PbxTap(const sc_core::sc_module_name& name, BusWatch::Master master, BusWatch& watch)
      : sc_module(name), master_(master), watch_(watch) {
    pbx_target.register_b_transport(this, &PbxTap::b_transport);
    pbx_target.register_transport_dbg(this, &PbxTap::transport_dbg);
  }

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    watch_.requests(master_, payload);
    pbx_initiator->b_transport(payload, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) { return pbx_initiator->transport_dbg(payload); }

  BusWatch::Master master_;
  BusWatch& watch_;
};

} // namespace hypermon
