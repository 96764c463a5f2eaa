// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/alltoall/params.hpp"
#include "sw/workloads/common/workload_part.hpp"

namespace hypermon {

Part alltoall_part() {
  return workload_part<AlltoallParams>("alltoall", "pairwise exchange of all ranks with all ranks.");
}

} // namespace hypermon
