// SPDX-License-Identifier: BSD-3-Clause
// Modules on the PBX (pbx.module) that a functional board cannot wait for. WAITS: waits in each access; otherwise it
// has a SystemC process.
#include "hw/hypermon/tlm/pbx_module.hpp"
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace {

class Module : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<Module> from_program{"from_program"};
  tlm_utils::simple_initiator_socket<Module> to_bus{"to_bus"};

  explicit Module(const sc_core::sc_module_name& name) : sc_module(name) {
    from_program.register_b_transport(this, &Module::b_transport);
#ifndef WAITS
    SC_HAS_PROCESS(Module);
    SC_THREAD(run);
#endif
  }

private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
#ifdef WAITS
    wait(1, sc_core::SC_US);
#endif
    to_bus->b_transport(payload, delay);
  }
  [[maybe_unused]] void run() {}
};

sc_core::sc_module* between(const hypermon::PbxPlace& place) {
  auto* module = new Module("module");
  place.master.bind(module->from_program);
  module->to_bus.bind(place.bus.pbx_target);
  return module;
}

} // namespace

HYPERMON_PBX_MODULE(between)
