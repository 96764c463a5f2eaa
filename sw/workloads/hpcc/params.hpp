// SPDX-License-Identifier: BSD-3-Clause
// What HDTrace's Figure 3 shows of HPC Challenge: processes that compute with short calls in between, then a broadcast.
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

struct HpccParams {
  std::int64_t phases = 3;
  std::int64_t size = 512;
  Nanoseconds multiply_add_ns = 2;
  double broadcast_mib = 100;
};

} // namespace hypermon
