// SPDX-License-Identifier: BSD-3-Clause
// Everyone to everyone, one partner at a time: with 2^k ranks in the k-bit patterns, so that every step's pairs talk
// both ways over disjoint paths of a hypercube; else round a ring.
#pragma once
#include "sw/workloads/common/program.hpp"
#include <bit>

namespace hypermon::workloads {

/// Calls exchange(to, from) for every other rank as either, in the same order of steps on all ranks.
template <class Exchange> void pairwise(Ranks ranks, Exchange&& exchange) {
  const bool by_bits = std::has_single_bit(static_cast<unsigned>(ranks.count));
  for (int step = 1; step < ranks.count; ++step) {
    const int to = by_bits ? ranks.mine ^ step : (ranks.mine + step) % ranks.count;
    exchange(to, by_bits ? to : (ranks.mine - step + ranks.count) % ranks.count);
  }
}

} // namespace hypermon::workloads
