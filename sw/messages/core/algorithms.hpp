// SPDX-License-Identifier: BSD-3-Clause
// The algorithms of collective calls: messages and computing, without data. A rank's part each, in steps as the
// paper's simulator has them: what a step posts is posted together, the next one begins when all of it is done.
// Children in the binary tree: of v, v + 2^i for each 2^i below v's lowest set bit, the largest first, with the root
// and rank 0 exchanged (facts: piosim_rules.md, Collectives).
#pragma once
#include "sw/messages/core/collective.hpp"
#include "sw/messages/core/point_to_point.hpp"

#include <cstdint>
#include <vector>

namespace hypermon::messages {

/// How long a rank computes when it combines what others have sent.
struct Combining {
  bool as_paper = true; // size + 1 cycles at inner ranks of a tree, however many have sent; nothing at its root
  std::int64_t bytes_per_cycle = 1000; // else: of each operand, at every rank that combines
};

/// A rank in a collective call; it must live until its tasks have ended.
struct Member {
  Collective& all;
  int rank;
  OperationId call; // the rank's
  PointToPoint& messages;
  Combining combining;
  std::uint64_t context = 0; // of messages between two ranks that algorithms of MPICH are made of
  int tag = 0;

  int size() const { return all.size(); }
  std::int64_t eager_limit() const { return messages.protocol().eager_limit; }
  auto step() const { return messages::step(all.wire(), all.process(rank)); }
  auto work(std::int64_t cycles) const {
    return Callback([this, cycles](Wire::Done done) { all.wire().work(all.process(rank), cycles, std::move(done)); });
  }
  AtOnce at_once(const char* algorithm, int number) const { return {all, rank, call, algorithm, number}; }

  // As MPI_Send, MPI_Recv and MPI_Sendrecv.
  Task send(int to, std::int64_t bytes, const char* algorithm, int number) const;
  Task receive(int from) const;
  Task exchange(int to, std::int64_t bytes, int from, const char* algorithm, int number) const;
};

/// Before every plain message.
constexpr std::int64_t collective_header = 20;

struct Tree {
  int parent = -1; // of the root: -1
  std::vector<int> children;
};
Tree binary_tree(int rank, int size, int root);

Task broadcast_binary_tree_simple(const Member& m, std::int64_t bytes, int root);
Task broadcast_binary_tree(const Member& m, std::int64_t bytes, int root);
Task broadcast_blockwise(const Member& m, std::int64_t bytes, int root);
Task broadcast_piped_blockwise(const Member& m, std::int64_t bytes, int root);
/// Binomial scatter, ring all-gather of pieces of size / n + size mod n.
Task broadcast_scatter_ring(const Member& m, std::int64_t bytes, int root);
/// The same with that barrier in between.
Task broadcast_scatter_barrier_ring(const Member& m, std::int64_t bytes, int root, Task barrier);
/// What MPICH2 1.3 chooses: binomial tree; scatter, and recursive doubling or a ring.
Task broadcast_mpich(const Member& m, std::int64_t bytes, int root);

Task reduce_binary_tree_simple(const Member& m, std::int64_t bytes, int root);
Task reduce_binary_tree(const Member& m, std::int64_t bytes, int root);
/// Reduce-scatter by recursive halving, then gather_binary_tree. Ranks beyond a power of two give their operands to a
/// neighbour first, which takes part for both.
Task reduce_scatter_gather(const Member& m, std::int64_t bytes, int root);
Task all_reduce_root_computes(const Member& m, std::int64_t bytes);

Task barrier_direct(const Member& m);
Task barrier_binary_tree(const Member& m);
Task barrier_dissemination(const Member& m);

/// `bytes`: what this rank contributes.
Task gather_direct(const Member& m, std::int64_t bytes, int root);
/// So many bytes of each; these messages have no header.
Task gather_binary_tree(const Member& m, std::int64_t bytes, int root);
/// `bytes`: to each rank; only the root's are read.
Task scatter_direct(const Member& m, std::vector<std::int64_t> bytes, int root);
/// So many bytes to each.
Task scatter_binary_tree(const Member& m, std::int64_t bytes, int root);
Task all_gather_direct(const Member& m, std::int64_t bytes);
/// `bytes`: of each rank.
Task all_gather_ring(const Member& m, std::vector<std::int64_t> bytes);
Task all_to_all_direct(const Member& m, std::vector<std::int64_t> bytes);
/// A pair of ranks at a time, by distance.
Task all_to_all_pairwise(const Member& m, std::vector<std::int64_t> bytes);
/// A chain of ranks, each of which combines and passes on.
Task scan_chain(const Member& m, std::int64_t bytes);

/// No message: a rank leaves when all from `first` to `last` are there, as the global view knows.
Task virtual_call(const Member& m, int first, int last);
/// Combines so many operands.
Task combine(const Member& m, std::int64_t bytes, std::int64_t operands);

} // namespace hypermon::messages
