#include "sw/model/spec.hpp"
#include "sw/workloads/idle/params.hpp"
#include "sw/workloads/workload_kind.hpp"

namespace hypermon {

WorkloadKind idle_workload();
WorkloadKind idle_workload() {
  return {.name = "idle",
          .idle_until = [](const Spec& spec) { return Time::from_seconds_rounded(spec.get<IdleParams>().duration_s); }};
}

} // namespace hypermon
