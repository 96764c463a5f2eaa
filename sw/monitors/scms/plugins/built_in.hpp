// SPDX-License-Identifier: BSD-3-Clause
// SCMS/RMS's own plug-ins for simulated counters: Hardware, Process, and the planned probe of MPI programs.
#pragma once
#include "sw/monitors/scms/plugins/plugin.hpp"

#include <string>
#include <vector>

namespace hypermon {
class Counters;
}

namespace hypermon::scms {

/// Names of the built-in plug-ins; the ids are the positions, counted from 1.
const std::vector<std::string>& built_in_names();
/// Makes the plug-in with one of these names. Functions whose counter is not available in the run are omitted.
/// `table_bytes`: size of process.table.
std::unique_ptr<Plugin> built_in(const std::string& name, Counters& counters, std::int32_t table_bytes);

} // namespace hypermon::scms
