// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/generator/params.hpp"

namespace hypermon {

Part generator_part() {
  return workload_part<GeneratorParams>("generator", "events at the port's full rate (HYPERMON sec. 5.1).");
}

} // namespace hypermon
