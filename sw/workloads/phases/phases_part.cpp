// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/phases/params.hpp"

namespace hypermon {

Part phases_part() {
  return workload_part<PhasesParams>(
      "phases",
      "particles in a body that swings, whose steps are eleven tasks that last; a checkpoint is one of them.");
}

} // namespace hypermon
