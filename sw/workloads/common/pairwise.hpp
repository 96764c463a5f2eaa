// SPDX-License-Identifier: BSD-3-Clause
// Exchange of all ranks with all ranks, one partner at a time. With 2^k ranks the steps are the k-bit patterns, so that
// the pairs of a step communicate both ways over disjoint paths of a hypercube. Otherwise the steps are distances in a
// ring.
#pragma once
#include "sw/workloads/common/program.hpp"
#include <bit>

namespace hypermon::workloads {

/// Calls exchange(to, from) so that every other rank occurs once as each, in the same order of steps on all ranks.
template <class Exchange> void pairwise(Ranks ranks, Exchange&& exchange) {
  const bool by_bits = std::has_single_bit(static_cast<unsigned>(ranks.count));
  for (int step = 1; step < ranks.count; ++step) {
    const int to = by_bits ? ranks.mine ^ step : (ranks.mine + step) % ranks.count;
    exchange(to, by_bits ? to : (ranks.mine - step + ranks.count) % ranks.count);
  }
}

} // namespace hypermon::workloads
