// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "sw/workloads/cholesky/params.hpp"

namespace hypermon {

constexpr auto fields_of(const CholeskyParams*) {
  using P = CholeskyParams;
  return fields(
      Field{"size", &P::size, range(1, 32768), "columns", "Rows and columns of the matrix.",
            "facts (hpvm): about 5000, 41.7 Gflop in 831 s"},
      Field{"block", &P::block, range(1, 1024), "columns",
            "Columns of a panel, dealt out to the ranks in turn; the last one may be narrower.", "chosen"},
      Field{"largest_computed", &P::largest_computed, range(0, 8192), "columns",
            "Larger matrices are not computed: the same messages are sent and the same work is charged, but there are "
            "no numbers in them, and no answer.",
            "chosen"},
      Field{"diagonal", &P::diagonal, range(0, 1e6), "",
            "So many times the size is added to the diagonal of a random symmetric matrix; from 1 on it is positive "
            "definite.",
            "chosen"},
      Field{"multiply_add_ns", &P::multiply_add_ns, range(0, 1e9),
            "CPU time of a multiply-add on data that are not in the cache.",
            "HPVM sec. 4: calibrated by 831 s on 1 node"},
      Field{"cache_kb", &P::cache_kb, range(0, 1e9), "KB",
            "Of a rank's working set, the columns that it has left, so much is in the cache.", "chosen"},
      Field{"cache_gain", &P::cache_gain, range(0, 1), "", "So much of multiply_add_ns is saved on data in the cache.",
            "HPVM sec. 4: calibrated by 109 s on 8 nodes"});
}
static_assert(all_members_described<CholeskyParams>());

} // namespace hypermon
