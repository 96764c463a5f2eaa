// Global operations are the library's, over point-to-point messages, as on the iPSC/2 (facts: Network; chosen where it
// had none, docs/design/mpi.md): dimension exchange among 2^k ranks, binomial trees for one-to-all and all-to-one,
// pairwise exchange for all-to-all.
#include "sw/nx2/mpi_calls.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace hypermon {
namespace {

/// Room for elements of any type. at() is where MPI takes the buffer to begin.
class Buffer {
public:
  Buffer(int count, MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint length = 0;
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    PMPI_Type_get_true_extent(type, &lower, &length);
    PMPI_Type_get_extent(type, &lower_bound, &extent);
    if (count > 0) room_.resize(static_cast<std::size_t>(length + std::abs(extent) * (count - 1)));
    begin_ = room_.data() - lower - std::min<MPI_Aint>(extent * (count - 1), 0);
  }
  void* at() { return begin_; }

private:
  std::vector<char> room_;
  char* begin_;
};

/// Where an element of the buffer is.
char* element(const void* buffer, std::int64_t n, MPI_Datatype type) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return static_cast<char*>(const_cast<void*>(buffer)) + n * extent;
}

/// A global operation in progress on one rank: the library's messages between members of one communicator.
class Operation {
public:
  Operation(RankState& self, const Communicator& comm)
      : rank(comm.rank), size(comm.size()), self_(self), comm_(comm), tag_(static_cast<int>(comm.context)) {}
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  const int rank;
  const int size;
  bool has(int root) const { return comm_.has(root); }
  /// A member's rank in the library's communicator, which is the program's whole world.
  int in_library(int peer) const { return comm_.world(peer) - self_.first; }
  bool is_cube() const { return std::has_single_bit(static_cast<unsigned>(size)); }
  /// Relative to `root`, and back.
  int relative(int root) const { return (rank - root + size) % size; }
  int absolute(int relative, int root) const { return (relative + root) % size; }

  void send(const void* data, int count, MPI_Datatype type, int to) const {
    note(hypermon::send(self_, library(self_), data, count, type, in_library(to), tag_));
  }
  void receive(void* data, int count, MPI_Datatype type, int from) const {
    note(hypermon::receive(self_, library(self_), data, count, type, in_library(from), tag_, MPI_STATUS_IGNORE));
  }
  void exchange(const void* out, int out_count, MPI_Datatype out_type, int to, void* in, int in_count,
                MPI_Datatype in_type, int from) const {
    note(send_receive(self_, library(self_), out, out_count, out_type, in_library(to), tag_, in, in_count, in_type,
                      in_library(from), tag_, MPI_STATUS_IGNORE));
  }
  void copy(const void* from, int from_count, MPI_Datatype from_type, void* to, int to_count,
            MPI_Datatype to_type) const {
    note(hypermon::copy(from, from_count, from_type, to, to_count, to_type));
  }
  // Combining: `lower` and `upper` hold the contributions of neighbouring ranges of ranks. MPI's order of operands is
  // that of the ranks.
  void combine_into_upper(const void* lower, void* upper, int count, MPI_Datatype type, MPI_Op op) const {
    note(smpi().Reduce_local(lower, upper, count, type, op));
  }
  void combine_into_lower(void* lower, void* upper, int count, MPI_Datatype type, MPI_Op op) const {
    combine_into_upper(lower, upper, count, type, op);
    copy(upper, count, type, lower, count, type);
  }
  /// The first error of all that it did.
  int status() const { return status_; }

private:
  void note(int status) const {
    if (status_ == MPI_SUCCESS) status_ = status;
  }

  RankState& self_;
  const Communicator& comm_;
  int tag_;
  mutable int status_ = MPI_SUCCESS;
};

/// Binomial tree rooted at `root`: at every node the lowest set bit of its relative rank names its parent.
void broadcast(const Operation& o, void* data, int count, MPI_Datatype type, int root) {
  const int relative = o.relative(root);
  int mask = 1;
  for (; mask < o.size; mask <<= 1) {
    if ((relative & mask) == 0) continue;
    o.receive(data, count, type, o.absolute(relative - mask, root));
    break;
  }
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (relative + mask < o.size) o.send(data, count, type, o.absolute(relative + mask, root));
}

/// The same tree, from the leaves to the root. `result` holds the rank's own contribution at first.
void reduce_tree(const Operation& o, void* result, int count, MPI_Datatype type, MPI_Op op, int root) {
  const int relative = o.relative(root);
  Buffer other(count, type);
  for (int mask = 1; mask < o.size; mask <<= 1) {
    if ((relative & mask) != 0) return o.send(result, count, type, o.absolute(relative - mask, root));
    if (relative + mask >= o.size) continue;
    o.receive(other.at(), count, type, o.absolute(relative + mask, root));
    o.combine_into_lower(result, other.at(), count, type, op);
  }
}

/// An operation whose operands may not change places is rooted at rank 0, which sends the result on.
void reduce(const Operation& o, void* result, int count, MPI_Datatype type, MPI_Op op, int root) {
  int commutes = 1;
  PMPI_Op_commutative(op, &commutes);
  if (commutes != 0 || root == 0) return reduce_tree(o, result, count, type, op, root);
  reduce_tree(o, result, count, type, op, 0);
  if (o.rank == 0) o.send(result, count, type, root);
  if (o.rank == root) o.receive(result, count, type, 0);
}

/// Dimension exchange; every rank combines in rank order, so that all get the same bits.
void all_reduce(const Operation& o, void* result, int count, MPI_Datatype type, MPI_Op op) {
  if (!o.is_cube()) {
    reduce(o, result, count, type, op, 0);
    return broadcast(o, result, count, type, 0);
  }
  Buffer other(count, type);
  for (int mask = 1; mask < o.size; mask <<= 1) {
    const int partner = o.rank ^ mask;
    o.exchange(result, count, type, partner, other.at(), count, type, partner);
    if (partner < o.rank)
      o.combine_into_upper(other.at(), result, count, type, op);
    else
      o.combine_into_lower(result, other.at(), count, type, op);
  }
}

/// After step d a rank holds what the d ranks up to itself contribute. `before`: without its own.
void scan(const Operation& o, void* result, void* before, int count, MPI_Datatype type, MPI_Op op) {
  Buffer other(count, type);
  Buffer sent(count, type);
  bool any = false;
  for (int d = 1; d < o.size; d <<= 1) {
    o.copy(result, count, type, sent.at(), count, type);
    const bool sends = o.rank + d < o.size;
    const bool receives = o.rank >= d;
    if (sends && receives)
      o.exchange(sent.at(), count, type, o.rank + d, other.at(), count, type, o.rank - d);
    else if (sends)
      o.send(sent.at(), count, type, o.rank + d);
    else if (receives)
      o.receive(other.at(), count, type, o.rank - d);
    if (!receives) continue;
    o.combine_into_upper(other.at(), result, count, type, op);
    if (before == nullptr) continue;
    if (any)
      o.combine_into_upper(other.at(), before, count, type, op);
    else
      o.copy(other.at(), count, type, before, count, type);
    any = true;
  }
}

/// A block for each rank of a communicator.
struct Blocks {
  std::vector<int> counts;
  std::vector<char*> at;
  std::vector<MPI_Datatype> types;

  void* block(int rank) const { return at[static_cast<std::size_t>(rank)]; }
  int count(int rank) const { return counts[static_cast<std::size_t>(rank)]; }
  MPI_Datatype type(int rank) const { return types[static_cast<std::size_t>(rank)]; }
  int bytes(int rank) const { return static_cast<int>(bytes_of(count(rank), type(rank))); }
  void add(char* block, int count, MPI_Datatype type) {
    at.push_back(block);
    counts.push_back(count);
    types.push_back(type);
  }
};

Blocks equal_blocks(const Operation& o, const void* buffer, int count, MPI_Datatype type) {
  Blocks b;
  for (int r = 0; r < o.size; ++r) b.add(element(buffer, static_cast<std::int64_t>(count) * r, type), count, type);
  return b;
}

Blocks own_blocks(const Operation& o, const void* buffer, const int* counts, const int* at, MPI_Datatype type) {
  Blocks b;
  for (int r = 0; r < o.size; ++r) b.add(element(buffer, at[r], type), counts[r], type);
  return b;
}

Blocks own_types(const Operation& o, const void* buffer, const int* counts, const int* at, const MPI_Datatype* types) {
  Blocks b;
  for (int r = 0; r < o.size; ++r) b.add(element(buffer, at[r], MPI_BYTE), counts[r], types[r]);
  return b;
}

/// Binomial tree of packed blocks, `bytes` a rank: block of relative rank r at r * bytes.
void gather_tree(const Operation& o, char* packed, int bytes, int root) {
  const int relative = o.relative(root);
  for (int mask = 1; mask < o.size; mask <<= 1) {
    if ((relative & mask) != 0) {
      const int blocks = std::min(mask, o.size - relative);
      return o.send(packed, bytes * blocks, MPI_BYTE, o.absolute(relative - mask, root));
    }
    if (relative + mask >= o.size) continue;
    const int blocks = std::min(mask, o.size - relative - mask);
    o.receive(packed + static_cast<std::ptrdiff_t>(bytes) * mask, bytes * blocks, MPI_BYTE,
              o.absolute(relative + mask, root));
  }
}

/// The same tree, from the root. `packed` begins with the rank's own block.
void scatter_tree(const Operation& o, char* packed, int bytes, int root) {
  const int relative = o.relative(root);
  int mask = 1;
  for (; mask < o.size; mask <<= 1) {
    if ((relative & mask) == 0) continue;
    o.receive(packed, bytes * std::min(mask, o.size - relative), MPI_BYTE, o.absolute(relative - mask, root));
    break;
  }
  for (mask >>= 1; mask > 0; mask >>= 1)
    if (relative + mask < o.size)
      o.send(packed + static_cast<std::ptrdiff_t>(bytes) * mask, bytes * std::min(mask, o.size - relative - mask),
             MPI_BYTE, o.absolute(relative + mask, root));
}

/// Dimension exchange of packed blocks, or a ring; block r from at[r] to at[r + 1].
void all_gather(const Operation& o, char* packed, const std::vector<std::int64_t>& at) {
  const auto from = [&](int r) { return at[static_cast<std::size_t>(r)]; };
  const auto exchange = [&](int first_out, int first_in, int blocks, int to, int source) {
    o.exchange(packed + from(first_out), static_cast<int>(from(first_out + blocks) - from(first_out)), MPI_BYTE, to,
               packed + from(first_in), static_cast<int>(from(first_in + blocks) - from(first_in)), MPI_BYTE, source);
  };
  if (o.is_cube()) {
    for (int mask = 1; mask < o.size; mask <<= 1) {
      const int mine = o.rank & ~(mask - 1);
      exchange(mine, mine ^ mask, mask, o.rank ^ mask, o.rank ^ mask);
    }
    return;
  }
  for (int step = 0; step < o.size - 1; ++step) {
    const int out = (o.rank - step + o.size) % o.size;
    exchange(out, (out - 1 + o.size) % o.size, 1, (o.rank + 1) % o.size, (o.rank - 1 + o.size) % o.size);
  }
}

void all_gather(const Operation& o, const void* out, int count, MPI_Datatype type, const Blocks& in) {
  std::vector<std::int64_t> at(static_cast<std::size_t>(o.size) + 1);
  for (int r = 0; r < o.size; ++r) at[static_cast<std::size_t>(r) + 1] = at[static_cast<std::size_t>(r)] + in.bytes(r);
  std::vector<char> packed(static_cast<std::size_t>(at.back()));
  const auto block = [&](int r) { return packed.data() + at[static_cast<std::size_t>(r)]; };
  if (out == MPI_IN_PLACE)
    o.copy(in.block(o.rank), in.count(o.rank), in.type(o.rank), block(o.rank), in.bytes(o.rank), MPI_BYTE);
  else
    o.copy(out, count, type, block(o.rank), in.bytes(o.rank), MPI_BYTE);
  all_gather(o, packed.data(), at);
  for (int r = 0; r < o.size; ++r) o.copy(block(r), in.bytes(r), MPI_BYTE, in.block(r), in.count(r), in.type(r));
}

/// A pair of ranks at a time: partners differ by each number in turn (2^k ranks: by each set of dimensions).
void all_to_all(const Operation& o, const Blocks& out, const Blocks& in) {
  o.copy(out.block(o.rank), out.count(o.rank), out.type(o.rank), in.block(o.rank), in.count(o.rank), in.type(o.rank));
  for (int step = 1; step < o.size; ++step) {
    const int to = o.is_cube() ? o.rank ^ step : (o.rank + step) % o.size;
    const int from = o.is_cube() ? to : (o.rank - step + o.size) % o.size;
    o.exchange(out.block(to), out.count(to), out.type(to), to, in.block(from), in.count(from), in.type(from), from);
  }
}

/// MPI_IN_PLACE: what is sent is taken from where the rest arrives.
void all_to_all(const Operation& o, const void* buffer, const auto& blocks_of_buffer, const Blocks& in) {
  if (buffer != MPI_IN_PLACE) return all_to_all(o, blocks_of_buffer(), in);
  std::vector<std::vector<char>> packed;
  Blocks out;
  for (int r = 0; r < o.size; ++r) {
    auto& block = packed.emplace_back(static_cast<std::size_t>(in.bytes(r)));
    o.copy(in.block(r), in.count(r), in.type(r), block.data(), in.bytes(r), MPI_BYTE);
    out.add(block.data(), in.bytes(r), MPI_BYTE);
  }
  all_to_all(o, out, in);
}

/// Counts that only the root knows: it sends to, or receives from, each rank in turn.
void scatter_each(const Operation& o, const Blocks& out, void* in, int count, MPI_Datatype type, int root) {
  if (o.rank != root) return o.receive(in, count, type, root);
  for (int r = 0; r < o.size; ++r)
    if (r != root) o.send(out.block(r), out.count(r), out.type(r), r);
  if (in != MPI_IN_PLACE) o.copy(out.block(root), out.count(root), out.type(root), in, count, type);
}

// MPI's calls
// ---------------------------------------------------------------------------------------------------

/// Runs `work(operation)` if the communicator is ours and the arguments are `good(operation)`; else `theirs()`, which
/// refuses them, or does what NX/2 does not model.
template <class Good, class Theirs, class Work> int global(MPI_Comm comm, Good&& good, Theirs&& theirs, Work&& work) {
  RankState& self = nx2().self();
  const Communicator* known = find(self, comm);
  if (known == nullptr) return theirs();
  const Operation operation(self, *known);
  if (!good(operation)) return theirs();
  work(operation);
  return operation.status();
}

bool are_as_long(int count, MPI_Datatype type, int other_count, MPI_Datatype other_type) {
  return bytes_of(count, type) == bytes_of(other_count, other_type);
}

int call_barrier(MPI_Comm comm) {
  return global(
      comm, [](const Operation&) { return true; }, [&] { return smpi().Barrier(comm); },
      [](const Operation& o) {
        char nothing = 0;
        all_reduce(o, &nothing, 1, MPI_CHAR, MPI_BOR);
      });
}

int call_bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  return global(
      comm, [&](const Operation& o) { return o.has(root) && is_good(data, count, type, comm); },
      [&] { return smpi().Bcast(data, count, type, root, comm); },
      [&](const Operation& o) { broadcast(o, data, count, type, root); });
}

int call_reduce(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return global(
      comm, [&](const Operation&) { return is_reducible(in, result, count, type, op, root, comm); },
      [&] { return smpi().Reduce(in, result, count, type, op, root, comm); },
      [&](const Operation& o) {
        Buffer own(count, type);
        o.copy(in == MPI_IN_PLACE ? result : in, count, type, own.at(), count, type);
        reduce(o, own.at(), count, type, op, root);
        if (o.rank == root) o.copy(own.at(), count, type, result, count, type);
      });
}

int call_allreduce(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm, [&](const Operation&) { return is_combinable(in, result, count, type, op, comm); },
      [&] { return smpi().Allreduce(in, result, count, type, op, comm); },
      [&](const Operation& o) {
        if (in != MPI_IN_PLACE) o.copy(in, count, type, result, count, type);
        all_reduce(o, result, count, type, op);
      });
}

int call_scan(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm, [&](const Operation&) { return is_combinable(in, result, count, type, op, comm); },
      [&] { return smpi().Scan(in, result, count, type, op, comm); },
      [&](const Operation& o) {
        if (in != MPI_IN_PLACE) o.copy(in, count, type, result, count, type);
        scan(o, result, nullptr, count, type, op);
      });
}

int call_exscan(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm, [&](const Operation&) { return is_combinable(in, result, count, type, op, comm); },
      [&] { return smpi().Exscan(in, result, count, type, op, comm); },
      [&](const Operation& o) {
        Buffer own(count, type);
        o.copy(in == MPI_IN_PLACE ? result : in, count, type, own.at(), count, type);
        scan(o, own.at(), result, count, type, op);
      });
}

/// Rank 0 combines, and sends each rank its part.
void reduce_scatter(const Operation& o, const void* in, void* result, const int* counts, MPI_Datatype type, MPI_Op op) {
  const int all = std::accumulate(counts, counts + o.size, 0);
  std::vector<int> at(static_cast<std::size_t>(o.size));
  std::exclusive_scan(counts, counts + o.size, at.begin(), 0);
  Buffer own(all, type);
  o.copy(in == MPI_IN_PLACE ? result : in, all, type, own.at(), all, type);
  reduce(o, own.at(), all, type, op, 0);
  scatter_each(o, own_blocks(o, own.at(), counts, at.data(), type), result, counts[o.rank], type, 0);
}

int call_reduce_scatter(const void* in, void* result, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation& o) {
        return counts != nullptr && std::all_of(counts, counts + o.size, [&](int count) {
                 return is_combinable(in, result, count, type, op, comm);
               });
      },
      [&] { return smpi().Reduce_scatter(in, result, counts, type, op, comm); },
      [&](const Operation& o) { reduce_scatter(o, in, result, counts, type, op); });
}

int call_reduce_scatter_block(const void* in, void* result, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return global(
      comm, [&](const Operation&) { return is_combinable(in, result, count, type, op, comm); },
      [&] { return smpi().Reduce_scatter_block(in, result, count, type, op, comm); },
      [&](const Operation& o) {
        const std::vector<int> counts(static_cast<std::size_t>(o.size), count);
        reduce_scatter(o, in, result, counts.data(), type, op);
      });
}

int call_gather(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                int root, MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation& o) {
        const bool own = out != MPI_IN_PLACE;
        if (!o.has(root) || (own && !is_good(out, out_count, out_type, comm))) return false;
        if (o.rank != root) return own;
        return in != MPI_IN_PLACE && is_good(in, in_count, in_type, comm) &&
               (!own || are_as_long(out_count, out_type, in_count, in_type));
      },
      [&] { return smpi().Gather(out, out_count, out_type, in, in_count, in_type, root, comm); },
      [&](const Operation& o) {
        const bool is_root = o.rank == root;
        const auto bytes = static_cast<int>(is_root ? bytes_of(in_count, in_type) : bytes_of(out_count, out_type));
        std::vector<char> packed(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(o.size));
        if (is_root && out == MPI_IN_PLACE)
          o.copy(element(in, static_cast<std::int64_t>(in_count) * root, in_type), in_count, in_type, packed.data(),
                 bytes, MPI_BYTE);
        else
          o.copy(out, out_count, out_type, packed.data(), bytes, MPI_BYTE);
        gather_tree(o, packed.data(), bytes, root);
        if (!is_root) return;
        const Blocks blocks = equal_blocks(o, in, in_count, in_type);
        for (int r = 0; r < o.size; ++r)
          o.copy(packed.data() + static_cast<std::ptrdiff_t>(bytes) * r, bytes, MPI_BYTE,
                 blocks.block(o.absolute(r, root)), in_count, in_type);
      });
}

int call_gatherv(const void* out, int out_count, MPI_Datatype out_type, void* in, const int* in_counts,
                 const int* in_at, MPI_Datatype in_type, int root, MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation& o) {
        const bool own = out != MPI_IN_PLACE;
        if (!o.has(root) || (own && !is_good(out, out_count, out_type, comm))) return false;
        if (o.rank != root) return own;
        return in != MPI_IN_PLACE && in_at != nullptr && are_good(in, in_counts, in_type, comm, o.size);
      },
      [&] { return smpi().Gatherv(out, out_count, out_type, in, in_counts, in_at, in_type, root, comm); },
      [&](const Operation& o) {
        if (o.rank != root) return o.send(out, out_count, out_type, root);
        const Blocks blocks = own_blocks(o, in, in_counts, in_at, in_type);
        if (out != MPI_IN_PLACE)
          o.copy(out, out_count, out_type, blocks.block(root), blocks.count(root), blocks.type(root));
        for (int r = 0; r < o.size; ++r)
          if (r != root) o.receive(blocks.block(r), blocks.count(r), blocks.type(r), r);
      });
}

int call_scatter(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                 int root, MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation& o) {
        const bool own = in != MPI_IN_PLACE;
        if (!o.has(root) || (own && !is_good(in, in_count, in_type, comm))) return false;
        if (o.rank != root) return own;
        return out != MPI_IN_PLACE && is_good(out, out_count, out_type, comm) &&
               (!own || are_as_long(out_count, out_type, in_count, in_type));
      },
      [&] { return smpi().Scatter(out, out_count, out_type, in, in_count, in_type, root, comm); },
      [&](const Operation& o) {
        const bool is_root = o.rank == root;
        const auto bytes = static_cast<int>(is_root ? bytes_of(out_count, out_type) : bytes_of(in_count, in_type));
        std::vector<char> packed(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(o.size));
        if (is_root) {
          const Blocks blocks = equal_blocks(o, out, out_count, out_type);
          for (int r = 0; r < o.size; ++r)
            o.copy(blocks.block(o.absolute(r, root)), out_count, out_type,
                   packed.data() + static_cast<std::ptrdiff_t>(bytes) * r, bytes, MPI_BYTE);
        }
        scatter_tree(o, packed.data(), bytes, root);
        if (in != MPI_IN_PLACE) o.copy(packed.data(), bytes, MPI_BYTE, in, in_count, in_type);
      });
}

int call_scatterv(const void* out, const int* out_counts, const int* out_at, MPI_Datatype out_type, void* in,
                  int in_count, MPI_Datatype in_type, int root, MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation& o) {
        const bool own = in != MPI_IN_PLACE;
        if (!o.has(root) || (own && (out == MPI_IN_PLACE || !is_good(in, in_count, in_type, comm)))) return false;
        if (o.rank != root) return own;
        return out_at != nullptr && are_good(out, out_counts, out_type, comm, o.size);
      },
      [&] { return smpi().Scatterv(out, out_counts, out_at, out_type, in, in_count, in_type, root, comm); },
      [&](const Operation& o) {
        scatter_each(o, o.rank == root ? own_blocks(o, out, out_counts, out_at, out_type) : Blocks{}, in, in_count,
                     in_type, root);
      });
}

int call_allgather(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                   MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation&) {
        return in != MPI_IN_PLACE && is_good(in, in_count, in_type, comm) &&
               (out == MPI_IN_PLACE ||
                (is_good(out, out_count, out_type, comm) && are_as_long(out_count, out_type, in_count, in_type)));
      },
      [&] { return smpi().Allgather(out, out_count, out_type, in, in_count, in_type, comm); },
      [&](const Operation& o) { all_gather(o, out, out_count, out_type, equal_blocks(o, in, in_count, in_type)); });
}

int call_allgatherv(const void* out, int out_count, MPI_Datatype out_type, void* in, const int* in_counts,
                    const int* in_at, MPI_Datatype in_type, MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation& o) {
        return in != MPI_IN_PLACE && in_at != nullptr && are_good(in, in_counts, in_type, comm, o.size) &&
               (out == MPI_IN_PLACE || is_good(out, out_count, out_type, comm));
      },
      [&] { return smpi().Allgatherv(out, out_count, out_type, in, in_counts, in_at, in_type, comm); },
      [&](const Operation& o) {
        all_gather(o, out, out_count, out_type, own_blocks(o, in, in_counts, in_at, in_type));
      });
}

int call_alltoall(const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type,
                  MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation&) {
        return in != MPI_IN_PLACE && is_good(in, in_count, in_type, comm) &&
               (out == MPI_IN_PLACE ||
                (is_good(out, out_count, out_type, comm) && are_as_long(out_count, out_type, in_count, in_type)));
      },
      [&] { return smpi().Alltoall(out, out_count, out_type, in, in_count, in_type, comm); },
      [&](const Operation& o) {
        all_to_all(
            o, out, [&] { return equal_blocks(o, out, out_count, out_type); }, equal_blocks(o, in, in_count, in_type));
      });
}

int call_alltoallv(const void* out, const int* out_counts, const int* out_at, MPI_Datatype out_type, void* in,
                   const int* in_counts, const int* in_at, MPI_Datatype in_type, MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation& o) {
        return in != MPI_IN_PLACE && in_at != nullptr && are_good(in, in_counts, in_type, comm, o.size) &&
               (out == MPI_IN_PLACE || (out_at != nullptr && are_good(out, out_counts, out_type, comm, o.size) &&
                                        are_as_long(out_counts[o.rank], out_type, in_counts[o.rank], in_type)));
      },
      [&] { return smpi().Alltoallv(out, out_counts, out_at, out_type, in, in_counts, in_at, in_type, comm); },
      [&](const Operation& o) {
        all_to_all(
            o, out, [&] { return own_blocks(o, out, out_counts, out_at, out_type); },
            own_blocks(o, in, in_counts, in_at, in_type));
      });
}

int call_alltoallw(const void* out, const int* out_counts, const int* out_at, const MPI_Datatype* out_types, void* in,
                   const int* in_counts, const int* in_at, const MPI_Datatype* in_types, MPI_Comm comm) {
  return global(
      comm,
      [&](const Operation& o) {
        return in != MPI_IN_PLACE && in_at != nullptr && are_good(in, in_counts, in_types, comm, o.size) &&
               (out == MPI_IN_PLACE ||
                (out_at != nullptr && are_good(out, out_counts, out_types, comm, o.size) &&
                 are_as_long(out_counts[o.rank], out_types[o.rank], in_counts[o.rank], in_types[o.rank])));
      },
      [&] { return smpi().Alltoallw(out, out_counts, out_at, out_types, in, in_counts, in_at, in_types, comm); },
      [&](const Operation& o) {
        all_to_all(
            o, out, [&] { return own_types(o, out, out_counts, out_at, out_types); },
            own_types(o, in, in_counts, in_at, in_types));
      });
}

} // namespace

void add_collective_calls(MpiTable& table) {
  table.Barrier = call_barrier;
  table.Bcast = call_bcast;
  table.Reduce = call_reduce;
  table.Allreduce = call_allreduce;
  table.Scan = call_scan;
  table.Exscan = call_exscan;
  table.Reduce_scatter = call_reduce_scatter;
  table.Reduce_scatter_block = call_reduce_scatter_block;
  table.Gather = call_gather;
  table.Gatherv = call_gatherv;
  table.Scatter = call_scatter;
  table.Scatterv = call_scatterv;
  table.Allgather = call_allgather;
  table.Allgatherv = call_allgatherv;
  table.Alltoall = call_alltoall;
  table.Alltoallv = call_alltoallv;
  table.Alltoallw = call_alltoallw;
}

} // namespace hypermon
