// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/wavefront/params.hpp"

namespace hypermon {

Part wavefront_part() {
  return workload_part<WavefrontParams>("wavefront", "relaxation in a pipeline of planes of a box.");
}

} // namespace hypermon
