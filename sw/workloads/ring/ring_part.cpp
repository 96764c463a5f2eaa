// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/ring/params.hpp"

namespace hypermon {

Part ring_part() { return workload_part<RingParams>("ring", "blocks that travel around a ring of ranks."); }

} // namespace hypermon
