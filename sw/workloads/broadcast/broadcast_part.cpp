// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/broadcast/params.hpp"
#include "sw/workloads/common/workload_part.hpp"

namespace hypermon {

Part broadcast_part() {
  return workload_part<BroadcastParams>("broadcast", "broadcast of one array from one rank to all others.");
}

} // namespace hypermon
