// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/trace/params.hpp"

namespace hypermon {

Part trace_part() {
  Part part = workload_part<TraceParams>("trace", "a recorded program, whose ranks repeat their calls.");
  part.workload.description = "the recorded program in trace.file";
  return part;
}

} // namespace hypermon
