// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/cg/params.hpp"
#include "sw/workloads/common/workload_part.hpp"

namespace hypermon {

Part cg_part() { return workload_part<CgParams>("cg", "method of conjugate gradients on strips of a square."); }

} // namespace hypermon
