// SPDX-License-Identifier: BSD-3-Clause
// User modules between an I/O node and its PBX, and probes of its backplane, in a whole run. hypermon-sim loads a
// shared object (pbx.module) with one function that creates and binds the modules.
//
//   sc_core::sc_module* between(const hypermon::PbxPlace& place) {
//     auto* probe = new Probe(...);
//     place.master.bind(probe->target);
//     probe->initiator.bind(place.bus.pbx_target);
//     return probe;
//   }
//   HYPERMON_PBX_MODULE(between)
#pragma once
#include "hw/hypermon/tlm/backplane.hpp"
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include <hypermon_modules_build.hpp>
#include <string>

namespace hypermon {

/// Place of a module. Every access of the drain program comes from `master`, in a SystemC thread that may be made to
/// wait. Further masters and devices can be bound to the bus. With ecb.level = functional accesses have annotated
/// times: a module must not wait then, and must have no SystemC processes.
struct PbxPlace {
  std::size_t board;
  tlm::tlm_initiator_socket<>& master; ///< must be bound, once
  PbxBus& bus;
  std::string directory; ///< the run directory, for files that the module writes
  Backplane& backplane;  ///< listeners can be bound to its strobe_initiator
};

/// Symbols of a shared object, which is loaded only if it was built with the headers and the SystemC of hypermon-sim.
inline constexpr const char* pbx_module_function = "hypermon_pbx_module";
inline constexpr const char* pbx_module_build_name = "hypermon_pbx_module_build";
inline constexpr const char* pbx_module_systemc_name = "hypermon_pbx_module_systemc";
/// Called once for each board, before the simulation starts. The returned module is deleted at the end of the run.
using BindPbx = sc_core::sc_module*(const PbxPlace& place);

} // namespace hypermon

#define HYPERMON_PBX_MODULE(function)                                                                                  \
  extern "C" {                                                                                                         \
  [[gnu::visibility("default")]] extern const char* const hypermon_pbx_module_build;                                   \
  const char* const hypermon_pbx_module_build = HYPERMON_MODULES_BUILD;                                                \
  [[gnu::visibility("default")]] extern const char* const hypermon_pbx_module_systemc;                                 \
  const char* const hypermon_pbx_module_systemc = SC_VERSION;                                                          \
  [[gnu::visibility("default")]] sc_core::sc_module* hypermon_pbx_module(const hypermon::PbxPlace& place) {            \
    return function(place);                                                                                            \
  }                                                                                                                    \
  }
