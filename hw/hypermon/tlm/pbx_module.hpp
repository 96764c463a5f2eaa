// SPDX-License-Identifier: BSD-3-Clause
// User modules between an I/O node and its PBX, in a whole run. hypermon-sim loads a shared object (pbx.module) with
// one function that creates and binds the modules.
//
//   sc_core::sc_module* between(const hypermon::PbxPlace& place) {
//     auto* probe = new Probe(...);
//     place.master.bind(probe->target);
//     probe->initiator.bind(place.bus.pbx_target);
//     return probe;
//   }
//   HYPERMON_PBX_MODULE(between)
#pragma once
#include "hw/hypermon/tlm/pbx_bus.hpp"
#include <string>

namespace hypermon {

/// Place of a module. Every access of the drain program comes from `master`, in a SystemC thread that may be made to
/// wait. Further masters and devices can be bound to the bus.
struct PbxPlace {
  std::size_t board;
  tlm::tlm_initiator_socket<>& master; ///< must be bound, once
  PbxBus& bus;
  std::string directory; ///< the run directory, for files that the module writes
};

/// Changes with the function's arguments and the modules that it binds to. A shared object built with another version
/// is not loaded.
inline constexpr int pbx_module_version = 1;
inline constexpr const char* pbx_module_function = "hypermon_pbx_module";
inline constexpr const char* pbx_module_version_name = "hypermon_pbx_module_version";
/// Called once for each board, before the simulation starts. The returned module is deleted at the end of the run.
using BindPbx = sc_core::sc_module*(const PbxPlace& place);

} // namespace hypermon

#define HYPERMON_PBX_MODULE(function)                                                                                  \
  extern "C" {                                                                                                         \
  [[gnu::visibility("default")]] extern const int hypermon_pbx_module_version;                                         \
  const int hypermon_pbx_module_version = hypermon::pbx_module_version;                                                \
  [[gnu::visibility("default")]] sc_core::sc_module* hypermon_pbx_module(const hypermon::PbxPlace& place) {            \
    return function(place);                                                                                            \
  }                                                                                                                    \
  }
