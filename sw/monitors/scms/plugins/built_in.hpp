// SPDX-License-Identifier: BSD-3-Clause
// SCMS/RMS's own plug-ins: Hardware, Process, and the planned probe of MPI programs, on simulated counters.
#pragma once
#include "sw/monitors/scms/plugins/plugin.hpp"

#include <string>
#include <vector>

namespace hypermon {
class Counters;
}

namespace hypermon::scms {

/// Their names, by id from 1 on.
const std::vector<std::string>& built_in_names();
/// The one of that name, which is one of these. A function whose counter the run has not got is left out: nobody
/// provides it. `table_bytes`: of process.table.
std::unique_ptr<Plugin> built_in(const std::string& name, Counters& counters, std::int32_t table_bytes);

} // namespace hypermon::scms
