// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/halo/params.hpp"

namespace hypermon {

Part halo_part() { return workload_part<HaloParams>("halo", "Jacobi sweeps with a 2-D halo exchange."); }

} // namespace hypermon
