// SPDX-License-Identifier: BSD-3-Clause
// The monitors and workloads that this program can run.
#pragma once
#include "sw/monitors/monitor_kind.hpp"
#include "sw/workloads/workload_kind.hpp"

namespace hypermon {

/// What the specification's `monitor` names.
const MonitorKind& monitor_kind(const Spec& spec);
/// What the specification's `workload` names; one that needs nothing is all nulls.
const WorkloadKind& workload_kind(const Spec& spec);
/// A monitor that is not built in, with its Part (add_part()).
void add_monitor(MonitorKind kind);

} // namespace hypermon
