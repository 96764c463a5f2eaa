// SPDX-License-Identifier: BSD-3-Clause
// The defaults are sized as the example of TAU over Supermon's paper (sec. 5): 32 processes, about 350 s a step.
#pragma once
#include "base/quantity.hpp"
#include "sw/workloads/common/file_access.hpp"

#include <cstdint>

namespace hypermon {

/// Material points of an elastic body on a grid, as a program in tasks (phases.cpp).
struct PhasesParams {
  std::int64_t columns = 64;
  std::int64_t rows = 16;
  std::int64_t iterations = 1;
  double drift = 0.05;
  double wave = 0.01;
  double courant = 0.3;
  std::int64_t represents = 46000;
  Nanoseconds pack_ns = 100;
  Nanoseconds grid_ns = 500;
  Nanoseconds material_ns = 20000;
  FileAccess access = FileAccess::independent;
  std::int64_t checkpoint_every = 1;
  Bytes message_bytes = 1048576;
  Bytes write_bytes = 1048576;
};

} // namespace hypermon
