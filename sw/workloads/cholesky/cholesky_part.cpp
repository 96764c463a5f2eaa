// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/cholesky/params.hpp"
#include "sw/workloads/common/workload_part.hpp"

namespace hypermon {

Part cholesky_part() {
  return workload_part<CholeskyParams>("cholesky", "Cholesky factorization on block-cyclic columns.");
}

} // namespace hypermon
