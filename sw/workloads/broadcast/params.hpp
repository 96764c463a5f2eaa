// SPDX-License-Identifier: BSD-3-Clause
// HDTrace's broadcast (sec. 8.1: 100 MiB).
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// MPI_Bcast of one array, once or more (broadcast.cpp).
struct BroadcastParams {
  double mib = 100;
  std::int64_t root = 0;
  std::int64_t repeats = 1;
};

} // namespace hypermon
