// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/simplex/params.hpp"

namespace hypermon {

Part simplex_part() { return workload_part<SimplexParams>("simplex", "simplex method on distributed columns."); }

} // namespace hypermon
