// SPDX-License-Identifier: BSD-3-Clause
// Parameters of MPI's messages on a network of packets (machine.messages = packets): of two ranks, of collective calls.
#pragma once
#include "base/choice.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

struct PacketMessageParams {
  Bytes eager_limit_bytes = 100000;
  Bytes header_bytes = 0;
  Bytes announcement_bytes = 100;
  Bytes acknowledgement_bytes = 100;
  bool list = false;
};

// "virtual" is a word of C++: what the global view answers is called so in words alone.
enum class BcastBy : std::uint8_t {
  binary_tree,
  binary_tree_simple,
  blockwise,
  piped_blockwise,
  scatter_ring,
  scatter_barrier_ring,
  mpich,
  none
};
constexpr auto words_of(BcastBy) {
  return words("binary_tree", "binary_tree_simple", "blockwise", "piped_blockwise", "scatter_ring",
               "scatter_barrier_ring", "mpich", "virtual");
}
enum class ReduceBy : std::uint8_t { binary_tree, binary_tree_simple, scatter_gather, none };
constexpr auto words_of(ReduceBy) { return words("binary_tree", "binary_tree_simple", "scatter_gather", "virtual"); }
enum class AllreduceBy : std::uint8_t { binary_tree, reduce_broadcast, root_computes, none };
constexpr auto words_of(AllreduceBy) { return words("binary_tree", "reduce_broadcast", "root_computes", "virtual"); }
enum class BarrierBy : std::uint8_t { none, direct, binary_tree, dissemination };
constexpr auto words_of(BarrierBy) { return words("virtual", "direct", "binary_tree", "dissemination"); }
enum class GatherBy : std::uint8_t { direct, binary_tree, none };
constexpr auto words_of(GatherBy) { return words("direct", "binary_tree", "virtual"); }
enum class ScatterBy : std::uint8_t { direct, binary_tree, none };
constexpr auto words_of(ScatterBy) { return words("direct", "binary_tree", "virtual"); }
enum class AllgatherBy : std::uint8_t { direct, ring, none };
constexpr auto words_of(AllgatherBy) { return words("direct", "ring", "virtual"); }
enum class AlltoallBy : std::uint8_t { direct, pairwise, none };
constexpr auto words_of(AlltoallBy) { return words("direct", "pairwise", "virtual"); }
enum class ScanBy : std::uint8_t { chain, none };
constexpr auto words_of(ScanBy) { return words("chain", "virtual"); }
enum class CombiningTakes : std::uint8_t { paper, rate };
constexpr auto words_of(CombiningTakes) { return words("paper", "rate"); }

struct CollectivesParams {
  BcastBy bcast = BcastBy::binary_tree;
  ReduceBy reduce = ReduceBy::binary_tree;
  AllreduceBy allreduce = AllreduceBy::binary_tree;
  BarrierBy barrier = BarrierBy::none;
  GatherBy gather = GatherBy::direct;
  ScatterBy scatter = ScatterBy::direct;
  AllgatherBy allgather = AllgatherBy::direct;
  AlltoallBy alltoall = AlltoallBy::direct;
  ScanBy scan = ScanBy::chain;
  CombiningTakes combining = CombiningTakes::paper;
  std::int64_t combined_bytes_per_cycle = 1000;
};

} // namespace hypermon
