// SPDX-License-Identifier: BSD-3-Clause
// Collective calls, blocking and non-blocking. A rank stores its part, its messages follow the chosen algorithm, and it
// takes its result when they have arrived.
#include "sw/messages/core/chosen.hpp"
#include "sw/messages/library.hpp"
#include "sw/mpi/blocks.hpp"
#include "sw/mpi/collective_arguments.hpp"

#include <numeric>
#include <utility>

namespace hypermon::messages {
namespace {

struct Caller {
  RankState& self;
  Communicator comm;
  int rank() const { return comm.rank; }
  int size() const { return comm.size(); }
};

using Pattern = std::function<Task(const Member&, const CollectivesParams&, std::int64_t bytes)>;
using Take = std::function<int(CollectiveCall&)>;

/// `bytes`: size for the algorithm, the same on all ranks.
RequestPtr start(const Caller& c, const char* function, std::int64_t bytes, std::vector<Bytes> blocks,
                 const Pattern& pattern, Take take) {
  Library& own = library();
  CollectiveCall& call = own.next_call(c.self, c.comm, function);
  if (call.bytes < 0) call.bytes = bytes;
  call.give(c.rank(), std::move(blocks));
  const auto request = std::make_shared<Request>();
  request->take = [&call, take = std::move(take)] {
    const int status = take(call);
    library().leave(call);
    return status;
  };
  constexpr std::uint64_t of_collectives = std::uint64_t{1} << 32; // no communicator has this context
  const CollectivesParams& by = own.collectives();
  const auto member =
      std::make_shared<Member>(Member{.all = call.messages,
                                      .rank = c.rank(),
                                      .call = call_of(c.self),
                                      .messages = own.messages(),
                                      .combining = {by.combining == CombiningTakes::paper, by.combined_bytes_per_cycle},
                                      .context = of_collectives | call.context,
                                      .tag = static_cast<int>(call.number & 0x7fffffff)});
  run(pattern(*member, by, call.bytes),
      [&self = c.self, request, member] { library().complete(self, *request); }); // lives as long as its task
  return request;
}

/// Keeps the datatype and the operation of a reduction until its result is taken.
std::pair<Held, Held> held_by(MPI_Datatype type, MPI_Op op) { return {hold(type), hold(op)}; }

int nothing(CollectiveCall&) { return MPI_SUCCESS; }
std::vector<Bytes> one(Bytes block) {
  std::vector<Bytes> all;
  all.push_back(std::move(block));
  return all;
}

/// A buffer with one block for each rank.
struct BlocksOf : Blocks {
  std::vector<Held> held() const {
    std::vector<Held> all;
    for (const MPI_Datatype type : types)
      if (all.empty() || all.back().get() != type) all.push_back(hold(type));
    return all;
  }
  Bytes pack(int r) const {
    const auto i = static_cast<std::size_t>(r);
    return packed(at[i], counts[i], types[i]);
  }
  std::vector<Bytes> pack_all() const {
    std::vector<Bytes> all;
    for (std::size_t i = 0; i < at.size(); ++i) all.push_back(pack(static_cast<int>(i)));
    return all;
  }
  int take(int r, const Bytes& from) const {
    const auto i = static_cast<std::size_t>(r);
    return unpack(from, at[i], counts[i], types[i]);
  }
  std::vector<std::int64_t> all_bytes() const {
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < at.size(); ++i) all.push_back(bytes_of(counts[i], types[i]));
    return all;
  }
};

BlocksOf equal(const Caller& c, const void* buffer, int count, MPI_Datatype type) {
  return {equal_blocks(c.size(), buffer, count, type)};
}
BlocksOf own(const Caller& c, const void* buffer, const int* counts, const int* at, MPI_Datatype type) {
  return {own_blocks(c.size(), buffer, counts, at, type)};
}
BlocksOf typed(const Caller& c, const void* buffer, const int* counts, const int* at, const MPI_Datatype* types) {
  return {own_types(c.size(), buffer, counts, at, types)};
}

/// Stores `block_of(call, r)` of each rank except `skipped`. Returns the first error.
template <class BlockOf> Take each(BlocksOf in, int skipped, BlockOf block_of) {
  auto held = in.held();
  return [in = std::move(in), held = std::move(held), skipped, block_of](CollectiveCall& call) {
    int status = MPI_SUCCESS;
    for (int r = 0; r < call.messages.size(); ++r)
      if (r != skipped)
        if (const int own = in.take(r, block_of(call, r)); status == MPI_SUCCESS) status = own;
    return status;
  };
}
constexpr int none_skipped = -1;

RequestPtr barrier_call(const Caller& c) {
  return start(
      c, "MPI_Barrier", 0, {},
      [](const Member& m, const CollectivesParams& by, std::int64_t) { return barrier(m, by); }, nothing);
}

RequestPtr bcast_call(const Caller& c, void* data, int count, MPI_Datatype type, int root) {
  const bool is_root = c.rank() == root;
  return start(
      c, "MPI_Bcast", bytes_of(count, type), is_root ? one(packed(data, count, type)) : std::vector<Bytes>(),
      [root](const Member& m, const CollectivesParams& by, std::int64_t bytes) {
        return broadcast(m, by, bytes, root);
      },
      [=, held = hold(type)](CollectiveCall& call) {
        return is_root ? MPI_SUCCESS : unpack(call.block(root), data, count, type);
      });
}

RequestPtr reduce_call(const Caller& c, const void* in, void* result, int count, MPI_Datatype type, MPI_Op op,
                       int root) {
  const bool is_root = c.rank() == root;
  return start(
      c, "MPI_Reduce", bytes_of(count, type), one(packed(in == MPI_IN_PLACE ? result : in, count, type)),
      [root](const Member& m, const CollectivesParams& by, std::int64_t bytes) { return reduce(m, by, bytes, root); },
      [=, last = c.size() - 1, held = held_by(type, op)](CollectiveCall& call) {
        return is_root ? unpack(call.combined(last, count, type, op), result, count, type) : MPI_SUCCESS;
      });
}

RequestPtr allreduce_call(const Caller& c, const void* in, void* result, int count, MPI_Datatype type, MPI_Op op) {
  return start(
      c, "MPI_Allreduce", bytes_of(count, type), one(packed(in == MPI_IN_PLACE ? result : in, count, type)),
      [](const Member& m, const CollectivesParams& by, std::int64_t bytes) { return all_reduce(m, by, bytes); },
      [=, last = c.size() - 1, held = held_by(type, op)](CollectiveCall& call) {
        return unpack(call.combined(last, count, type, op), result, count, type);
      });
}

/// Combines the parts up to rank `last`. Writes nothing if there is no value.
RequestPtr scanned(const Caller& c, const char* function, const void* in, void* result, int count, MPI_Datatype type,
                   MPI_Op op, int last) {
  return start(
      c, function, bytes_of(count, type), one(packed(in == MPI_IN_PLACE ? result : in, count, type)),
      [](const Member& m, const CollectivesParams& by, std::int64_t bytes) { return scan(m, by, bytes); },
      [=, held = held_by(type, op)](CollectiveCall& call) {
        return last < 0 ? MPI_SUCCESS : unpack(call.combined(last, count, type, op), result, count, type);
      });
}

RequestPtr scan_call(const Caller& c, const void* in, void* result, int count, MPI_Datatype type, MPI_Op op) {
  return scanned(c, "MPI_Scan", in, result, count, type, op, c.rank());
}

RequestPtr exscan_call(const Caller& c, const void* in, void* result, int count, MPI_Datatype type, MPI_Op op) {
  return scanned(c, "MPI_Exscan", in, result, count, type, op, c.rank() - 1);
}

RequestPtr reduce_scatter_of(const Caller& c, const char* function, const void* in, void* result,
                             const std::vector<int>& counts, MPI_Datatype type, MPI_Op op) {
  const int all = std::accumulate(counts.begin(), counts.end(), 0);
  const int before = std::accumulate(counts.begin(), counts.begin() + c.rank(), 0);
  const int mine = counts[static_cast<std::size_t>(c.rank())];
  std::vector<std::int64_t> bytes;
  for (const int count : counts) bytes.push_back(bytes_of(count, type));
  return start(
      c, function, bytes_of(all, type), one(packed(in == MPI_IN_PLACE ? result : in, all, type)),
      [bytes](const Member& m, const CollectivesParams& by, std::int64_t) { return reduce_scatter(m, by, bytes); },
      [=, last = c.size() - 1, held = held_by(type, op)](CollectiveCall& call) {
        const Bytes& combined = call.combined(last, all, type, op);
        const auto from = combined.begin() + bytes_of(before, type);
        return unpack({from, from + bytes_of(mine, type)}, result, mine, type);
      });
}

RequestPtr reduce_scatter_call(const Caller& c, const void* in, void* result, const int* counts, MPI_Datatype type,
                               MPI_Op op) {
  return reduce_scatter_of(c, "MPI_Reduce_scatter", in, result, {counts, counts + c.size()}, type, op);
}

RequestPtr reduce_scatter_block_call(const Caller& c, const void* in, void* result, int count, MPI_Datatype type,
                                     MPI_Op op) {
  const std::vector<int> counts(static_cast<std::size_t>(c.size()), count);
  return reduce_scatter_of(c, "MPI_Reduce_scatter_block", in, result, counts, type, op);
}

/// `in`: receive buffer of the root.
RequestPtr gathered(const Caller& c, const char* function, const void* out, int out_count, MPI_Datatype out_type,
                    const std::function<BlocksOf()>& in, bool all_equal, int root) {
  const bool is_root = c.rank() == root;
  const bool in_place = out == MPI_IN_PLACE; // the root's own block is already in place
  const Take take = !is_root ? Take(nothing)
                             : each(in(), in_place ? root : none_skipped,
                                    [](CollectiveCall& call, int r) -> const Bytes& { return call.block(r); });
  const std::int64_t bytes = in_place ? 0 : bytes_of(out_count, out_type);
  return start(
      c, function, 0, in_place ? std::vector<Bytes>() : one(packed(out, out_count, out_type)),
      [=](const Member& m, const CollectivesParams& by, std::int64_t) { return gather(m, by, bytes, all_equal, root); },
      take);
}

RequestPtr gather_call(const Caller& c, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                       MPI_Datatype in_type, int root) {
  return gathered(
      c, "MPI_Gather", out, out_count, out_type, [&] { return equal(c, in, in_count, in_type); }, true, root);
}

RequestPtr gatherv_call(const Caller& c, const void* out, int out_count, MPI_Datatype out_type, void* in,
                        const int* in_counts, const int* in_at, MPI_Datatype in_type, int root) {
  return gathered(
      c, "MPI_Gatherv", out, out_count, out_type, [&] { return own(c, in, in_counts, in_at, in_type); }, false, root);
}

/// `out`: send buffer of the root. `bytes`: size of each block, if all are equal.
RequestPtr scattered(const Caller& c, const char* function, const std::function<BlocksOf()>& out, std::int64_t bytes,
                     void* in, int in_count, MPI_Datatype in_type, int root) {
  const bool is_root = c.rank() == root;
  const bool all_equal = bytes >= 0;
  std::vector<Bytes> blocks;
  std::vector<std::int64_t> sizes(1, bytes);
  if (is_root) {
    const BlocksOf all = out();
    blocks = all.pack_all();
    sizes = all.all_bytes();
  }
  return start(
      c, function, 0, std::move(blocks),
      [=](const Member& m, const CollectivesParams& by, std::int64_t) {
        return scatter(m, by, sizes, all_equal, root);
      },
      [=, rank = c.rank(), held = hold(in_type)](CollectiveCall& call) {
        return in == MPI_IN_PLACE ? MPI_SUCCESS : unpack(call.block(root, rank), in, in_count, in_type);
      });
}

RequestPtr scatter_call(const Caller& c, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                        MPI_Datatype in_type, int root) {
  const std::int64_t bytes = c.rank() == root ? bytes_of(out_count, out_type) : bytes_of(in_count, in_type);
  return scattered(
      c, "MPI_Scatter", [&] { return equal(c, out, out_count, out_type); }, bytes, in, in_count, in_type, root);
}

RequestPtr scatterv_call(const Caller& c, const void* out, const int* out_counts, const int* out_at,
                         MPI_Datatype out_type, void* in, int in_count, MPI_Datatype in_type, int root) {
  return scattered(
      c, "MPI_Scatterv", [&] { return own(c, out, out_counts, out_at, out_type); }, -1, in, in_count, in_type, root);
}

RequestPtr all_gathered(const Caller& c, const char* function, const void* out, int out_count, MPI_Datatype out_type,
                        BlocksOf in) {
  const bool in_place = out == MPI_IN_PLACE;
  Bytes mine = in_place ? in.pack(c.rank()) : packed(out, out_count, out_type);
  const auto sizes = in.all_bytes();
  return start(
      c, function, 0, one(std::move(mine)),
      [sizes](const Member& m, const CollectivesParams& by, std::int64_t) { return all_gather(m, by, sizes); },
      each(std::move(in), none_skipped, [](CollectiveCall& call, int r) -> const Bytes& { return call.block(r); }));
}

RequestPtr allgather_call(const Caller& c, const void* out, int out_count, MPI_Datatype out_type, void* in,
                          int in_count, MPI_Datatype in_type) {
  return all_gathered(c, "MPI_Allgather", out, out_count, out_type, equal(c, in, in_count, in_type));
}

RequestPtr allgatherv_call(const Caller& c, const void* out, int out_count, MPI_Datatype out_type, void* in,
                           const int* in_counts, const int* in_at, MPI_Datatype in_type) {
  return all_gathered(c, "MPI_Allgatherv", out, out_count, out_type, own(c, in, in_counts, in_at, in_type));
}

/// With MPI_IN_PLACE the sent data are read from the receive buffer.
RequestPtr exchanged(const Caller& c, const char* function, const BlocksOf& out, BlocksOf in) {
  const auto sizes = out.all_bytes();
  std::vector<Bytes> blocks = out.pack_all();
  return start(
      c, function, 0, std::move(blocks),
      [sizes](const Member& m, const CollectivesParams& by, std::int64_t) { return all_to_all(m, by, sizes); },
      each(std::move(in), none_skipped,
           [rank = c.rank()](CollectiveCall& call, int r) -> const Bytes& { return call.block(r, rank); }));
}

RequestPtr alltoall_call(const Caller& c, const void* out, int out_count, MPI_Datatype out_type, void* in, int in_count,
                         MPI_Datatype in_type) {
  const BlocksOf blocks = equal(c, in, in_count, in_type);
  return exchanged(c, "MPI_Alltoall", out == MPI_IN_PLACE ? blocks : equal(c, out, out_count, out_type), blocks);
}

RequestPtr alltoallv_call(const Caller& c, const void* out, const int* out_counts, const int* out_at,
                          MPI_Datatype out_type, void* in, const int* in_counts, const int* in_at,
                          MPI_Datatype in_type) {
  const BlocksOf blocks = own(c, in, in_counts, in_at, in_type);
  return exchanged(c, "MPI_Alltoallv", out == MPI_IN_PLACE ? blocks : own(c, out, out_counts, out_at, out_type),
                   blocks);
}

RequestPtr alltoallw_call(const Caller& c, const void* out, const int* out_counts, const int* out_at,
                          const MPI_Datatype* out_types, void* in, const int* in_counts, const int* in_at,
                          const MPI_Datatype* in_types) {
  const BlocksOf blocks = typed(c, in, in_counts, in_at, in_types);
  return exchanged(c, "MPI_Alltoallw", out == MPI_IN_PLACE ? blocks : typed(c, out, out_counts, out_at, out_types),
                   blocks);
}

bool any(const Communicator&, MPI_Comm) { return true; }

/// Makes the blocking and the non-blocking function of a collective call.
template <auto Theirs, auto TheirsBegun, auto Good, auto Begin> struct Calls;
template <auto Theirs, auto TheirsBegun, auto Good, class... Arguments,
          RequestPtr (*Begin)(const Caller&, Arguments...)>
struct Calls<Theirs, TheirsBegun, Good, Begin> {
  static int blocking(Arguments... arguments, MPI_Comm comm) {
    RankState& self = rank_table().self();
    const Communicator* known = find(self, comm);
    if (known == nullptr || !Good(*known, arguments..., comm)) return (smpi().*Theirs)(arguments..., comm);
    return finish(self, Begin({self, *known}, arguments...), {self.call.function}, MPI_STATUS_IGNORE);
  }
  static int begun(Arguments... arguments, MPI_Comm comm, MPI_Request* request) {
    RankState& self = rank_table().self();
    const Communicator* known = find(self, comm);
    if (request == nullptr || known == nullptr || !Good(*known, arguments..., comm))
      return (smpi().*TheirsBegun)(arguments..., comm, request);
    static char nobodys = 0;
    const int token = smpi().Send_init(&nobodys, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, request);
    return hand_out(self, request, token, Begin({self, *known}, arguments...));
  }
};

} // namespace

void add_collective_calls(MpiTable& table) {
#define BOTH(name, begun_name, good, begin)                                                                            \
  table.name = Calls<&MpiTable::name, &MpiTable::begun_name, good, begin>::blocking;                                   \
  table.begun_name = Calls<&MpiTable::name, &MpiTable::begun_name, good, begin>::begun
  BOTH(Barrier, Ibarrier, any, barrier_call);
  BOTH(Bcast, Ibcast, good::bcast, bcast_call);
  BOTH(Reduce, Ireduce, good::reduce, reduce_call);
  BOTH(Allreduce, Iallreduce, good::combining, allreduce_call);
  BOTH(Scan, Iscan, good::combining, scan_call);
  BOTH(Exscan, Iexscan, good::combining, exscan_call);
  BOTH(Reduce_scatter, Ireduce_scatter, good::reduce_scatter, reduce_scatter_call);
  BOTH(Reduce_scatter_block, Ireduce_scatter_block, good::combining, reduce_scatter_block_call);
  BOTH(Gather, Igather, good::gather, gather_call);
  BOTH(Gatherv, Igatherv, good::gatherv, gatherv_call);
  BOTH(Scatter, Iscatter, good::scatter, scatter_call);
  BOTH(Scatterv, Iscatterv, good::scatterv, scatterv_call);
  BOTH(Allgather, Iallgather, good::allgather, allgather_call);
  BOTH(Allgatherv, Iallgatherv, good::allgatherv, allgatherv_call);
  BOTH(Alltoall, Ialltoall, good::allgather, alltoall_call);
  BOTH(Alltoallv, Ialltoallv, good::alltoallv, alltoallv_call);
  BOTH(Alltoallw, Ialltoallw, good::alltoallw, alltoallw_call);
#undef BOTH
}

} // namespace hypermon::messages
