// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/workers/params.hpp"

namespace hypermon {

Part workers_part() { return workload_part<WorkersParams>("workers", "a master that deals tasks to workers."); }

} // namespace hypermon
