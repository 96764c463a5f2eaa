// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/place/params.hpp"

namespace hypermon {

Part place_part() { return workload_part<PlaceParams>("place", "standard-cell placement by simulated annealing."); }

} // namespace hypermon
