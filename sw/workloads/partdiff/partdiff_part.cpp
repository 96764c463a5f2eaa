// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/partdiff/params.hpp"

namespace hypermon {

Part partdiff_part() {
  return workload_part<PartdiffParams>("partdiff", "a PDE solver that writes checkpoints and diagonals by MPI-IO.");
}

} // namespace hypermon
