// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/workload_kind.hpp"

namespace hypermon {

WorkloadKind matmul_workload();
/// The host distributes the matrices and collects their product.
WorkloadKind matmul_workload() {
  return {.name = "matmul", .has_host = [](const Spec&) { return true; }};
}

} // namespace hypermon
