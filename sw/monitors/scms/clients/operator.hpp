// SPDX-License-Identifier: BSD-3-Clause
// Loads and unloads plug-ins at the times of a schedule.
#pragma once
#include "base/results.hpp"
#include "sw/monitors/scms/clients/schedule.hpp"
#include "sw/monitors/scms/plugins/plugins.hpp"
#include "sw/monitors/scms/rmi.hpp"

namespace hypermon::scms {

/// Makes the changes one after the other through RMI, in a daemon's body.
void carry_out(std::vector<Change>& changes, Rmi& rmi, const Plugins& plugins);
ResultRecords report_of(const std::vector<Change>& changes);

} // namespace hypermon::scms
