// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/hpcc/params.hpp"

namespace hypermon {

Part hpcc_part() {
  return workload_part<HpccParams>("hpcc", "phases like HPC Challenge's: multiplication, transposition, a broadcast.");
}

} // namespace hypermon
