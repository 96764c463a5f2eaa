// SPDX-License-Identifier: BSD-3-Clause
// Who loads and unloads plug-ins at the dates of a schedule.
#pragma once
#include "base/results.hpp"
#include "sw/monitors/scms/clients/schedule.hpp"
#include "sw/monitors/scms/plugins/plugins.hpp"
#include "sw/monitors/scms/rmi.hpp"

namespace hypermon::scms {

/// Through RMI, one after the other, in a daemon's body.
void carry_out(std::vector<Change>& changes, Rmi& rmi, const Plugins& plugins);
ResultRecords report_of(const std::vector<Change>& changes);

} // namespace hypermon::scms
