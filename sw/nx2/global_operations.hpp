// SPDX-License-Identifier: BSD-3-Clause
// Global operations belong to the library and use point-to-point messages, as on the iPSC/2 (facts: Network; chosen
// where it had none, docs/design/mpi.md). Dimension exchange serves 2^k ranks, binomial trees serve one-to-all and
// all-to-one, pairwise exchange serves all-to-all.
#pragma once
#include "sw/mpi/blocks.hpp"
#include "sw/mpi/buffers.hpp"
#include "sw/nx2/calls.hpp"

#include <bit>
#include <vector>

namespace hypermon::global_operations {

/// A global operation in progress on one rank: it exchanges the library's messages with the members of one
/// communicator.
class Operation {
public:
  Operation(RankState& self, const Communicator& comm)
      : rank(comm.rank), size(comm.size()), self_(self), comm_(comm), tag_(static_cast<int>(comm.context)) {
    self_.algorithm.number = 0;
  }
  ~Operation() { self_.algorithm = {}; }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  const int rank;
  const int size;
  bool has(int root) const { return comm_.has(root); }
  /// A member's rank in the library's communicator, which has all ranks of the program.
  int in_library(int peer) const { return comm_.world(peer) - self_.first; }
  bool is_cube() const { return std::has_single_bit(static_cast<unsigned>(size)); }
  /// Rank relative to `root`, and the reverse.
  int relative(int root) const { return (rank - root + size) % size; }
  int absolute(int relative, int root) const { return (relative + root) % size; }

  /// Sets the name of the algorithm, for observers of its messages.
  void by(const char* algorithm) const { self_.algorithm.name = algorithm; }

  void send(const void* data, int count, MPI_Datatype type, int to) const {
    const Sending sending(self_.algorithm);
    note(hypermon::send(self_, library(self_), data, count, type, in_library(to), tag_));
  }
  void receive(void* data, int count, MPI_Datatype type, int from) const {
    note(hypermon::receive(self_, library(self_), data, count, type, in_library(from), tag_, MPI_STATUS_IGNORE));
  }
  void exchange(const void* out, int out_count, MPI_Datatype out_type, int to, void* in, int in_count,
                MPI_Datatype in_type, int from) const {
    const Sending sending(self_.algorithm);
    note(send_receive(self_, library(self_), out, out_count, out_type, in_library(to), tag_, in, in_count, in_type,
                      in_library(from), tag_, MPI_STATUS_IGNORE));
  }
  void copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
            MPI_Datatype to_type) const {
    note(hypermon::copy(from, from_count, from_type, to, to_count, to_type));
  }
  // `lower` and `upper` hold the contributions of adjacent ranges of ranks. MPI prescribes the order of operands: that
  // of the ranks.
  void combine_into_upper(const void* lower, void* upper, int count, MPI_Datatype type, MPI_Op op) const {
    note(smpi().Reduce_local(lower, upper, count, type, op));
  }
  void combine_into_lower(void* lower, void* upper, int count, MPI_Datatype type, MPI_Op op) const {
    combine_into_upper(lower, upper, count, type, op);
    copy(upper, count, type, lower, count, type);
  }
  /// The first error of the operation's messages.
  int status() const { return status_; }

private:
  struct Sending { // counts one more message of the algorithm
    explicit Sending(AlgorithmStep& step) : step(step) {}
    ~Sending() { ++step.number; }
    AlgorithmStep& step;
  };
  void note(int status) const {
    if (status_ == MPI_SUCCESS) status_ = status;
  }

  RankState& self_;
  const Communicator& comm_;
  int tag_;
  mutable int status_ = MPI_SUCCESS;
};

/// Binomial tree rooted at `root`: the lowest set bit of a node's relative rank gives its parent.
void broadcast(const Operation& o, void* data, int count, MPI_Datatype type, int root);

// `result` holds the rank's own contribution at first.
//
// A non-commutative operation uses rank 0 as the root of the tree, and rank 0 sends the result to `root`.
void reduce(const Operation& o, void* result, int count, MPI_Datatype type, MPI_Op op, int root);
/// Dimension exchange. Every rank combines in rank order, so that all ranks get exactly the same result.
void all_reduce(const Operation& o, void* result, int count, MPI_Datatype type, MPI_Op op);
/// After step d a rank holds the contributions of the d ranks up to and including itself. `before`: without its own.
void scan(const Operation& o, void* result, void* before, int count, MPI_Datatype type, MPI_Op op);

/// Rank 0 combines the contributions and sends each rank its part.
void reduce_scatter(const Operation& o, const void* in, void* result, const int* counts, MPI_Datatype type, MPI_Op op);

/// Binomial tree of packed blocks with `bytes` for each rank. The block of relative rank r starts at r * bytes.
void gather_tree(const Operation& o, char* packed, int bytes, int root);
/// Scatters packed blocks from the root by the tree of gather_tree(). `packed` begins with the rank's own block.
void scatter_tree(const Operation& o, char* packed, int bytes, int root);
/// Only the root knows the counts, so it sends to, or receives from, each rank in turn.
void scatter_each(const Operation& o, const Blocks& out, void* in, int count, MPI_Datatype type, int root);
/// Dimension exchange of packed blocks for 2^k ranks, otherwise a ring.
void all_gather(const Operation& o, const void* out, int count, MPI_Datatype type, const Blocks& in);
/// Each rank exchanges with one partner at a time, at all distances in turn (for 2^k ranks: for all sets of
/// dimensions).
void all_to_all(const Operation& o, const Blocks& out, const Blocks& in);

} // namespace hypermon::global_operations
