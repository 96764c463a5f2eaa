// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/idle/params.hpp"

namespace hypermon {

Part idle_part() {
  Part part = workload_part<IdleParams>("idle", "no program; the nodes are idle while monitors run.");
  part.workload = {.description = "no program; the nodes are idle"};
  return part;
}

} // namespace hypermon
