// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of collective calls: messages and computation, without data. Each function is one rank's part, in
// steps like those of the paper's simulator: the operations of a step are posted together, and the next step begins
// when all of them are done. In the binary tree, v has the children v + 2^i for each 2^i below v's lowest set bit, the
// largest first, with the root and rank 0 exchanged (facts: piosim_rules.md, Collectives).
#pragma once
#include "sw/messages/core/collective.hpp"
#include "sw/messages/core/point_to_point.hpp"

#include <cstdint>
#include <vector>

namespace hypermon::messages {

/// Computation time of a rank that combines the data of other ranks.
struct Combining {
  bool as_paper = true; // size + 1 cycles at inner ranks of a tree, for any number of children; none at its root
  // otherwise: bytes combined in a cycle, for each operand, at every rank that combines
  std::int64_t bytes_per_cycle = 1000;
};

/// A rank in a collective call. It must outlive its tasks.
struct Member {
  Collective& all;
  int rank;
  OperationId call; // the rank's call
  PointToPoint& messages;
  Combining combining;
  std::uint64_t context = 0; // for the point-to-point messages of MPICH's algorithms
  int tag = 0;

  int size() const { return all.size(); }
  std::int64_t eager_limit() const { return messages.protocol().eager_limit; }
  auto step() const { return messages::step(all.wire(), all.process(rank)); }
  auto work(std::int64_t cycles) const {
    return Callback([this, cycles](Wire::Done done) { all.wire().work(all.process(rank), cycles, std::move(done)); });
  }
  AtOnce at_once(const char* algorithm, int number) const { return {all, rank, call, algorithm, number}; }

  // Like MPI_Send, MPI_Recv and MPI_Sendrecv.
  Task send(int to, std::int64_t bytes, const char* algorithm, int number) const;
  Task receive(int from) const;
  Task exchange(int to, std::int64_t bytes, int from, const char* algorithm, int number) const;
};

/// Bytes before the data of every plain message.
constexpr std::int64_t collective_header = 20;

struct Tree {
  int parent = -1; // -1 at the root
  std::vector<int> children;
};
Tree binary_tree(int rank, int size, int root);

Task broadcast_binary_tree_simple(const Member& m, std::int64_t bytes, int root);
Task broadcast_binary_tree(const Member& m, std::int64_t bytes, int root);
Task broadcast_blockwise(const Member& m, std::int64_t bytes, int root);
Task broadcast_piped_blockwise(const Member& m, std::int64_t bytes, int root);
/// Binomial scatter, then a ring all-gather of pieces of size / n + size mod n.
Task broadcast_scatter_ring(const Member& m, std::int64_t bytes, int root);
/// broadcast_scatter_ring() with `barrier` between scatter and all-gather.
Task broadcast_scatter_barrier_ring(const Member& m, std::int64_t bytes, int root, Task barrier);
/// The choice of MPICH2 1.3: a binomial tree, or a scatter followed by recursive doubling or a ring.
Task broadcast_mpich(const Member& m, std::int64_t bytes, int root);

Task reduce_binary_tree_simple(const Member& m, std::int64_t bytes, int root);
Task reduce_binary_tree(const Member& m, std::int64_t bytes, int root);
/// Reduce-scatter by recursive halving, then gather_binary_tree. Each rank beyond a power of two first gives its
/// operand to a neighbour, which takes part for both.
Task reduce_scatter_gather(const Member& m, std::int64_t bytes, int root);
Task all_reduce_root_computes(const Member& m, std::int64_t bytes);

Task barrier_direct(const Member& m);
Task barrier_binary_tree(const Member& m);
Task barrier_dissemination(const Member& m);

/// `bytes`: contribution of this rank.
Task gather_direct(const Member& m, std::int64_t bytes, int root);
/// `bytes`: contribution of each rank. These messages have no header.
Task gather_binary_tree(const Member& m, std::int64_t bytes, int root);
/// `bytes`: size for each rank; only the root's values are read.
Task scatter_direct(const Member& m, std::vector<std::int64_t> bytes, int root);
/// `bytes`: size for each rank.
Task scatter_binary_tree(const Member& m, std::int64_t bytes, int root);
Task all_gather_direct(const Member& m, std::int64_t bytes);
/// `bytes`: contribution of each rank.
Task all_gather_ring(const Member& m, std::vector<std::int64_t> bytes);
Task all_to_all_direct(const Member& m, std::vector<std::int64_t> bytes);
/// Exchanges with one partner at a time, in the order of distance.
Task all_to_all_pairwise(const Member& m, std::vector<std::int64_t> bytes);
/// Each rank combines and passes the result to the next.
Task scan_chain(const Member& m, std::int64_t bytes);

/// No messages: a rank leaves when all ranks from `first` to `last` have entered, which the global view knows.
Task virtual_call(const Member& m, int first, int last);
/// Combines `operands` operands.
Task combine(const Member& m, std::int64_t bytes, std::int64_t operands);

} // namespace hypermon::messages
