// SPDX-License-Identifier: BSD-3-Clause
// Parameters of MPI's messages on a network of packets (machine.messages = packets): of two ranks, of collective calls.
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
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

constexpr auto fields_of(const PacketMessageParams*) {
  using P = PacketMessageParams;
  return fields(
      Field{
          "eager_limit_bytes", &P::eager_limit_bytes, range(0, 1e12),
          "Messages of at most so many bytes go at once; longer ones are announced, and go when they are acknowledged.",
          "facts (piosim_rules): 100 KiB, whose K is 1000 in the paper's code"},
      Field{"header_bytes", &P::header_bytes, range(0, 1 << 20), "Before a message's data.",
            "facts (piosim_rules): 0; 8 in the newest version"},
      Field{"announcement_bytes", &P::announcement_bytes, range(0, 1 << 20), "Of a longer message.",
            "facts (piosim_rules): 100; 8 in the newest version"},
      Field{"acknowledgement_bytes", &P::acknowledgement_bytes, range(0, 1 << 20), "Of an announcement.",
            "facts (piosim_rules): 100"},
      Field{"list", &P::list, any_value(), "",
            "All messages of the run, those of collective calls and of protocols too, are written to messages.csv in "
            "its directory, whatever machine.messages is.",
            "chosen"});
}
static_assert(all_members_described<PacketMessageParams>());

constexpr auto fields_of(const CollectivesParams*) {
  using P = CollectivesParams;
  constexpr const char* rules = "facts (piosim_rules)";
  return fields(
      Field{"bcast", &P::bcast,
            "MPI_Bcast. binary_tree: above the eager limit children say first that they are ready. binary_tree_simple: "
            "they do not. blockwise: that, 1 MiB after the other. piped_blockwise: a chain of ranks, 1 MiB after the "
            "other. scatter_ring: pieces along the tree, then around a ring. scatter_barrier_ring: the same with an "
            "MPI_Barrier between the two. mpich: what MPICH2 1.3 chooses by size and ranks. virtual: no message, a "
            "rank leaves when the root has come.",
            rules},
      Field{"reduce", &P::reduce,
            "MPI_Reduce. binary_tree: above the eager limit parents say first that they are ready. "
            "binary_tree_simple: they do not. scatter_gather: each rank combines its share of the operands, and the "
            "shares go to the root along the tree. virtual: no message, the root leaves when all have come.",
            rules},
      Field{"allreduce", &P::allreduce,
            "MPI_Allreduce. binary_tree: MPI_Reduce's of that name to rank 0, then MPI_Bcast's binary_tree_simple. "
            "reduce_broadcast: as reduce and bcast say. root_computes: all send to rank 0, which sends to all. "
            "virtual: no message, all leave when the last one comes.",
            rules},
      Field{"barrier", &P::barrier,
            "MPI_Barrier. virtual: no message, all leave when the last one comes. direct: all send to rank 0, which "
            "sends to all. binary_tree: the same along a tree. dissemination: as MPICH2's, ceil(log2 ranks) rounds.",
            rules},
      Field{"gather", &P::gather,
            "MPI_Gather, MPI_Gatherv. direct: all send to the root. binary_tree: along the tree, each rank sends its "
            "subtree's blocks in one message (MPI_Gatherv: direct). virtual: no message, the root leaves when all have "
            "come.",
            rules},
      Field{"scatter", &P::scatter,
            "MPI_Scatter, MPI_Scatterv, MPI_Reduce_scatter's second half. direct: the root sends to all at once. "
            "binary_tree: along the tree, to who has said that it is ready (blocks of one size only; else direct). "
            "virtual: no message, a rank leaves when the root has come.",
            "chosen; binary_tree: facts (piosim_rules)"},
      Field{"allgather", &P::allgather,
            "MPI_Allgather, MPI_Allgatherv. direct: each sends to all at once. ring: each passes on what it got. "
            "virtual: no message, all leave when the last one comes.",
            rules},
      Field{"alltoall", &P::alltoall,
            "MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw. direct: all at once, in the order of ranks. pairwise: "
            "MPI_Sendrecv with one pair after the other. virtual: no message, all leave when the last one comes.",
            "chosen: the paper's simulator has none"},
      Field{"scan", &P::scan,
            "MPI_Scan, MPI_Exscan. chain: each rank combines what the one before it sends, and sends on. virtual: no "
            "message, a rank leaves when all before it have come.",
            "chosen: the paper's simulator has none"},
      Field{"combining", &P::combining,
            "What combining in reductions takes. paper: size + 1 cycles at the inner ranks of a tree, however many "
            "have sent, nothing at its root. rate: each operand at combined_bytes_per_cycle, wherever it is combined.",
            "facts (piosim_rules): paper"},
      Field{"combined_bytes_per_cycle", &P::combined_bytes_per_cycle, range(1, 1e12), "B",
            "With combining = rate: of each operand (1000: 1 GB/s at the paper's 1e6 cycles a second).", "chosen"});
}
static_assert(all_members_described<CollectivesParams>());

} // namespace hypermon
