// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/matmul/params.hpp"

namespace hypermon {

Part matmul_part() {
  Part part = workload_part<MatmulParams>("matmul", "matrix product by row blocks.");
  part.is_default = true;
  return part;
}

} // namespace hypermon
