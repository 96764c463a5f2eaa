// SPDX-License-Identifier: BSD-3-Clause
// Modules of a user's between an I/O node and its PBX, in a whole run: a shared object that hypermon-sim loads
// (pbx.module), with one function that makes and binds what the user puts there.
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

/// Where a module goes. Every access of the drain program comes from `master`, in a SystemC thread, which may be made
/// to wait; further masters and devices can be bound to the bus as well.
struct PbxPlace {
  std::size_t board;
  tlm::tlm_initiator_socket<>& master; ///< to be bound, once
  PbxBus& bus;
  std::string directory; ///< of the run, for what the module writes
};

/// Changes whenever the function's arguments or the modules that it binds to do: a shared object that was built with
/// another is not loaded.
inline constexpr int pbx_module_version = 1;
inline constexpr const char* pbx_module_function = "hypermon_pbx_module";
inline constexpr const char* pbx_module_version_name = "hypermon_pbx_module_version";
/// Called once a board, before the simulation starts; what it returns is deleted when the run has ended.
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
