// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/lu/params.hpp"

namespace hypermon {

Part lu_part() {
  return workload_part<LuParams>("lu", "SSOR for five coupled variables, with the messages of the NAS benchmark LU.");
}

} // namespace hypermon
