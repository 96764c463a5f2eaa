// SPDX-License-Identifier: BSD-3-Clause
// The defaults are for a node of HPVM's cluster (platforms/machines/hpvm_nt.yaml; docs/design/hpvm.md derives them).
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

/// Cholesky factorization on block-cyclic columns (cholesky.cpp).
struct CholeskyParams {
  std::int64_t size = 5000;
  std::int64_t block = 32;
  std::int64_t largest_computed = 1024;
  double diagonal = 1;
  Nanoseconds multiply_add_ns = 40.65;
  double cache_kb = 1024;
  double cache_gain = 0.52;
};

} // namespace hypermon
