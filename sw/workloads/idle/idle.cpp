// SPDX-License-Identifier: BSD-3-Clause
#include "base/spec.hpp"
#include "sw/workloads/idle/params.hpp"
#include "sw/workloads/workload_kind.hpp"

namespace hypermon {

WorkloadKind idle_workload();
WorkloadKind idle_workload() {
  return {.name = "idle", .idle_until = [](const Spec& spec) -> Time { return spec.get<IdleParams>().duration_s; }};
}

} // namespace hypermon
