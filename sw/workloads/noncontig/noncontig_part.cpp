// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/noncontig/params.hpp"

namespace hypermon {

Part noncontig_part() {
  return workload_part<NoncontigParams>("noncontig", "MPI-IO of ranks whose blocks alternate in one file.");
}

} // namespace hypermon
