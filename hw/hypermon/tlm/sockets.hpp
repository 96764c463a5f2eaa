// SPDX-License-Identifier: BSD-3-Clause
// Naming and common properties of the modules' sockets.
//
// A socket is named after its traffic and the role of its module: strobe_initiator writes strobes to a strobe_target,
// and pbx_initiator accesses registers of a pbx_target. An interconnect has one socket of each role.
#pragma once
#include <limits>
#include <tlm>

namespace hypermon {

/// No part of the hardware is memory: DMI is refused, for reads and writes, in [first, last].
inline bool refuse_dmi(tlm::tlm_dmi& dmi, sc_dt::uint64 first = 0,
                       sc_dt::uint64 last = std::numeric_limits<sc_dt::uint64>::max()) {
  dmi.init();
  dmi.set_start_address(first);
  dmi.set_end_address(last);
  dmi.allow_read_write(); // the kinds of access that the result `false` applies to (IEEE 1666 sec. 11.2.5)
  return false;
}

/// Base of modules that listen to strobe lines. A strobe is not acknowledged: the target accepts it within the call,
/// for the annotated time, and never waits; a non-blocking request completes at once (base protocol, early completion).
/// So ports may write from outside SystemC processes and further ahead than any quantum: docs/design/tlm.md.
class StrobeTarget : public tlm::tlm_fw_transport_if<> {
public:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::BEGIN_REQ)
      b_transport(payload, delay);
    else
      SC_REPORT_ERROR("strobe_target", "a strobe has one phase only, BEGIN_REQ");
    return tlm::TLM_COMPLETED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& /*payload*/, tlm::tlm_dmi& dmi) override { return refuse_dmi(dmi); }
  unsigned transport_dbg(tlm::tlm_generic_payload& /*payload*/) override { return 0; } // a strobe is a side effect
};

} // namespace hypermon
