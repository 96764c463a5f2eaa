// SPDX-License-Identifier: BSD-3-Clause
// The defaults are for a node of HPVM's cluster (platforms/machines/hpvm_nt.yaml; docs/design/hpvm.md derives them).
#pragma once
#include "base/field.hpp"
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

constexpr auto fields_of(const CholeskyParams*) {
  using P = CholeskyParams;
  return fields(Field{"size", &P::size, range(1, 32768), "columns", "Rows and columns of the matrix.",
                      "facts (hpvm): about 5000, 41.7 Gflop in 831 s"},
                Field{"block", &P::block, range(1, 1024), "columns",
                      "Columns of a panel. Panels are dealt to the ranks in turn; the last one may be narrower.",
                      "chosen"},
                Field{"largest_computed", &P::largest_computed, range(0, 8192), "columns",
                      "Largest matrix whose numbers are computed. Larger matrices cause the same messages and the same "
                      "CPU time, but have no contents and give no answer.",
                      "chosen"},
                Field{"diagonal", &P::diagonal, range(0, 1e6), "",
                      "Multiple of cholesky.size that is added to the diagonal of a random symmetric matrix. The "
                      "matrix is positive definite from 1 on.",
                      "chosen"},
                Field{"multiply_add_ns", &P::multiply_add_ns, range(0, 1e9),
                      "CPU time of one multiply-add on data that are not in the cache.",
                      "HPVM sec. 4: calibrated by 831 s on 1 node"},
                Field{"cache_kb", &P::cache_kb, range(0, 1e9), "KB",
                      "Cache for a rank's working set, which is the rank's remaining columns.", "chosen"},
                Field{"cache_gain", &P::cache_gain, range(0, 1), "",
                      "Share of cholesky.multiply_add_ns that is saved on data in the cache.",
                      "HPVM sec. 4: calibrated by 109 s on 8 nodes"});
}
static_assert(all_members_described<CholeskyParams>());

} // namespace hypermon
