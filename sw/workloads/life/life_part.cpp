// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/life/params.hpp"

namespace hypermon {

Part life_part() { return workload_part<LifeParams>("life", "Conway's game of life on strips of a square."); }

} // namespace hypermon
