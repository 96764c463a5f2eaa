// SPDX-License-Identifier: BSD-3-Clause
// Parameters of MPI's messages on a packet network (machine.messages = packets): between two ranks, and in collective
// calls.
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

// `virtual` is a keyword of C++, so the enumerators of operations answered by the global view are called `none`.
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
      Field{"eager_limit_bytes", &P::eager_limit_bytes, range(0, 1e12),
            "Largest message that is sent at once. Longer messages are announced and sent after the acknowledgement.",
            "facts (piosim_rules): 100 KiB, with 1 K = 1000 in the paper's code"},
      Field{"header_bytes", &P::header_bytes, range(0, 1 << 20), "Size of the header before a message's data.",
            "facts (piosim_rules): 0; 8 in the newest version"},
      Field{"announcement_bytes", &P::announcement_bytes, range(0, 1 << 20),
            "Size of the announcement of a message longer than packet_messages.eager_limit_bytes.",
            "facts (piosim_rules): 100; 8 in the newest version"},
      Field{"acknowledgement_bytes", &P::acknowledgement_bytes, range(0, 1 << 20),
            "Size of the acknowledgement of an announcement.", "facts (piosim_rules): 100"},
      Field{"list", &P::list, any_value(), "",
            "Write all messages of the run to messages.csv in the run directory, with those of collective calls and "
            "protocols. It works with every value of machine.messages.",
            "chosen"});
}
static_assert(all_members_described<PacketMessageParams>());

constexpr auto fields_of(const CollectivesParams*) {
  using P = CollectivesParams;
  constexpr const char* rules = "facts (piosim_rules)";
  return fields(
      Field{"bcast", &P::bcast,
            "Algorithm of MPI_Bcast. binary_tree: above the eager limit, children first report that they are ready. "
            "binary_tree_simple: children do not report. blockwise: as binary_tree_simple in blocks of 1 MiB. "
            "piped_blockwise: a chain of ranks in blocks of 1 MiB. scatter_ring: a scatter along the tree, then a "
            "ring. scatter_barrier_ring: the same with an MPI_Barrier in between. mpich: MPICH2 1.3's choice by size "
            "and ranks. virtual: no messages; a rank leaves when the root has called.",
            rules},
      Field{"reduce", &P::reduce,
            "Algorithm of MPI_Reduce. binary_tree: above the eager limit, parents first report that they are ready. "
            "binary_tree_simple: parents do not report. scatter_gather: each rank combines its share of the operands, "
            "and the shares go to the root along the tree. virtual: no messages; the root leaves when all have called.",
            rules},
      Field{"allreduce", &P::allreduce,
            "Algorithm of MPI_Allreduce. binary_tree: binary_tree of MPI_Reduce to rank 0, then binary_tree_simple of "
            "MPI_Bcast. reduce_broadcast: as collectives.reduce and collectives.bcast say. root_computes: all send to "
            "rank 0, which sends to all. virtual: no messages; all leave when the last one has called.",
            rules},
      Field{"barrier", &P::barrier,
            "Algorithm of MPI_Barrier. virtual: no messages; all leave when the last one has called. direct: all send "
            "to rank 0, which sends to all. binary_tree: the same along a tree. dissemination: ceil(log2 ranks) "
            "rounds, as in MPICH2.",
            rules},
      Field{"gather", &P::gather,
            "Algorithm of MPI_Gather and MPI_Gatherv. direct: all send to the root. binary_tree: each rank sends its "
            "subtree's blocks in one message (MPI_Gatherv: direct). virtual: no messages; the root leaves when all "
            "have called.",
            rules},
      Field{"scatter", &P::scatter,
            "Algorithm of MPI_Scatter, MPI_Scatterv and the second half of MPI_Reduce_scatter. direct: the root sends "
            "to all at once. binary_tree: along the tree, to children that have reported ready (blocks of one size "
            "only; otherwise direct). virtual: no messages; a rank leaves when the root has called.",
            "chosen; binary_tree: facts (piosim_rules)"},
      Field{"allgather", &P::allgather,
            "Algorithm of MPI_Allgather and MPI_Allgatherv. direct: each rank sends to all at once. ring: each rank "
            "forwards the blocks that it received. virtual: no messages; all leave when the last one has called.",
            rules},
      Field{"alltoall", &P::alltoall,
            "Algorithm of MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw. direct: all messages at once, in the order of "
            "ranks. pairwise: MPI_Sendrecv with one pair after the other. virtual: no messages; all leave when the "
            "last one has called.",
            "chosen: the paper's simulator has none"},
      Field{"scan", &P::scan,
            "Algorithm of MPI_Scan and MPI_Exscan. chain: each rank combines its operand with the previous rank's "
            "result and sends it on. virtual: no messages; a rank leaves when all ranks before it have called.",
            "chosen: the paper's simulator has none"},
      Field{"combining", &P::combining,
            "Time of combining operands in reductions. paper: size + 1 cycles at the inner ranks of a tree, however "
            "many ranks have sent, and none at the root. rate: collectives.combined_bytes_per_cycle for each operand, "
            "at every rank that combines.",
            "facts (piosim_rules): paper"},
      Field{"combined_bytes_per_cycle", &P::combined_bytes_per_cycle, range(1, 1e12), "B",
            "Operand bytes that a rank combines per cycle with collectives.combining = rate. 1000 is 1 GB/s at 1e6 "
            "cycles a second.",
            "chosen"});
}
static_assert(all_members_described<CollectivesParams>());

} // namespace hypermon
