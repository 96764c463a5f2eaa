// SPDX-License-Identifier: BSD-3-Clause
// The monitors and workloads that the worker can run.
#pragma once
#include "sw/monitors/monitor_kind.hpp"
#include "sw/workloads/workload_kind.hpp"

namespace hypermon {

/// The kind that the specification's `monitor` names.
const MonitorKind& monitor_kind(const Spec& spec);
/// The kind that the specification's `workload` names. A workload without special needs has only null members.
const WorkloadKind& workload_kind(const Spec& spec);
/// Adds a monitor that is not built in, with its Part (add_part()).
void add_monitor(MonitorKind kind);

} // namespace hypermon
