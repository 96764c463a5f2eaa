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
            "Plug-ins that every node agent (CMA) has loaded when it begins, separated by blanks: hardware, process, "
            "mpi. Those of scms_plugins.own are loaded too.",
            "SCMS sec. 2: Hardware and Process"},
      Field{"available", &P::available, any_value(), "",
            "Plug-ins that every node agent (CMA) has at hand and can load while it runs, separated by blanks.",
            "SCMS sec. 2; a probe of MPI programs was planned"},
      Field{"own", &P::own, program(), "",
            "Plug-ins of your own, one or a list: C or C++ sources that use hypermon_cma.h, or shared objects.",
            "SCMS sec. 2"}
          .that_runs(
              "The compiler on sources, then the plug-ins. A shared object's code runs as soon as it is loaded."),
      Field{"schedule", &P::schedule, any_value(), "",
            "Plug-ins that agents load or unload during the run, separated by semicolons. Each is a time in s, load or "
            "unload, the plug-in, then nodes if not all (30 load mpi 0-3).",
            "SCMS sec. 2: dynamically loaded and unloaded"},
      Field{"table_bytes", &P::table_bytes, range(1, 1e9),
            "Size of the resource process.table, a block whose content is not simulated.",
            "SCMS Table 2: 11 KB a node"},
      Field{
          "restart_s", &P::restart_s, range(0, 1e6),
          "Time after which a node agent (CMA) that ended with a plug-in's crash is restarted. 0: it is not restarted.",
          "chosen"});
}
static_assert(all_members_described<ScmsPluginParams>());

} // namespace hypermon
