// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/phases/params.hpp"

namespace hypermon {

Part phases_part() {
  return workload_part<PhasesParams>(
      "phases", "particles of an elastic body; each time step has eleven long tasks, one of them a checkpoint.");
}

} // namespace hypermon
