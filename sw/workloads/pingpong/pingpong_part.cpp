// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/pingpong/params.hpp"

namespace hypermon {

Part pingpong_part() {
  return workload_part<PingpongParams>("pingpong", "round trips of messages of growing size between two ranks.");
}

} // namespace hypermon
