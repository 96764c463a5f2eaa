// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the CMAs' plug-ins.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <string>

namespace hypermon {

struct ScmsPluginParams {
  std::string loaded = "hardware process";
  std::string available = "mpi";
  std::string own;
  std::string schedule;
  Bytes table_bytes = 11264;
  Seconds restart_s = 1;
};

constexpr auto fields_of(const ScmsPluginParams*) {
  using P = ScmsPluginParams;
  return fields(
      Field{"loaded", &P::loaded, any_value(), "",
            "Plug-ins that every CMA has loaded when it begins: hardware, process, mpi, blanks between; those of own "
            "are, too.",
            "SCMS sec. 2: Hardware and Process"},
      Field{"available", &P::available, any_value(), "",
            "Plug-ins that lie beside every CMA and can be loaded while it runs.",
            "SCMS sec. 2; a probe of MPI programs was planned"},
      Field{"own", &P::own, program(), "",
            "Plug-ins of your own (hypermon_cma.h): C or C++ sources, or shared objects, one or a list.", "SCMS sec. 2"}
          .that_runs(
              "The compiler on sources, then the plug-ins. A shared object's code runs as soon as it is loaded."),
      Field{"schedule", &P::schedule, any_value(), "",
            "What is loaded or unloaded through RMI while the run goes on: when in s, load or unload, the plug-in, and "
            "on "
            "which nodes if not on all, like 30 load mpi 0-3; several with ; between.",
            "SCMS sec. 2: dynamically loaded and unloaded"},
      Field{"table_bytes", &P::table_bytes, range(1, 1e9), "Of process.table, a block whose content is not simulated.",
            "SCMS Table 2: 11 KB a node"},
      Field{"restart_s", &P::restart_s, range(0, 1e6),
            "Until a CMA begins anew that a plug-in's crash has ended; 0: it does not.", "chosen"});
}
static_assert(all_members_described<ScmsPluginParams>());

} // namespace hypermon
