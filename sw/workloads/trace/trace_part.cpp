// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/trace/params.hpp"

namespace hypermon {

Part trace_part() {
  Part part = workload_part<TraceParams>("trace", "what the ranks of a recorded program did, done again.");
  part.workload.description = "a recorded one, trace.file";
  return part;
}

} // namespace hypermon
