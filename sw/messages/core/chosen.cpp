// SPDX-License-Identifier: BSD-3-Clause
#include "sw/messages/core/chosen.hpp"

#include <numeric>
#include <utility>

namespace hypermon::messages {
namespace {

/// Two operations within one call, each preceded by a step.
Task one_after_the_other(const Member& m, Task first, Task second) {
  co_await m.step();
  if (m.size() == 1) co_return;
  co_await first;
  co_await m.step();
  co_await second;
}

} // namespace

Task broadcast(const Member& m, const CollectivesParams& by, std::int64_t bytes, int root) {
  switch (by.bcast) {
  case BcastBy::binary_tree:
    return broadcast_binary_tree(m, bytes, root);
  case BcastBy::binary_tree_simple:
    return broadcast_binary_tree_simple(m, bytes, root);
  case BcastBy::blockwise:
    return broadcast_blockwise(m, bytes, root);
  case BcastBy::piped_blockwise:
    return broadcast_piped_blockwise(m, bytes, root);
  case BcastBy::scatter_ring:
    return broadcast_scatter_ring(m, bytes, root);
  case BcastBy::scatter_barrier_ring:
    return broadcast_scatter_barrier_ring(m, bytes, root, barrier(m, by));
  case BcastBy::mpich:
    return broadcast_mpich(m, bytes, root);
  case BcastBy::none:
    break;
  }
  return virtual_call(m, root, root);
}

Task reduce(const Member& m, const CollectivesParams& by, std::int64_t bytes, int root) {
  switch (by.reduce) {
  case ReduceBy::binary_tree:
    return reduce_binary_tree(m, bytes, root);
  case ReduceBy::binary_tree_simple:
    return reduce_binary_tree_simple(m, bytes, root);
  case ReduceBy::scatter_gather:
    return reduce_scatter_gather(m, bytes, root);
  case ReduceBy::none:
    break;
  }
  return m.rank == root ? virtual_call(m, 0, m.size() - 1) : virtual_call(m, m.rank, m.rank);
}

Task all_reduce(const Member& m, const CollectivesParams& by, std::int64_t bytes) {
  switch (by.allreduce) {
  case AllreduceBy::binary_tree:
    return one_after_the_other(m, reduce_binary_tree(m, bytes, 0), broadcast_binary_tree_simple(m, bytes, 0));
  case AllreduceBy::reduce_broadcast:
    return one_after_the_other(m, reduce(m, by, bytes, 0), broadcast(m, by, bytes, 0));
  case AllreduceBy::root_computes:
    return all_reduce_root_computes(m, bytes);
  case AllreduceBy::none:
    break;
  }
  return virtual_call(m, 0, m.size() - 1);
}

Task reduce_scatter(const Member& m, const CollectivesParams& by, std::vector<std::int64_t> bytes) {
  const std::int64_t all = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
  return one_after_the_other(m, reduce(m, by, all, 0), scatter(m, by, std::move(bytes), false, 0));
}

Task barrier(const Member& m, const CollectivesParams& by) {
  switch (by.barrier) {
  case BarrierBy::direct:
    return barrier_direct(m);
  case BarrierBy::binary_tree:
    return barrier_binary_tree(m);
  case BarrierBy::dissemination:
    return barrier_dissemination(m);
  case BarrierBy::none:
    break;
  }
  return virtual_call(m, 0, m.size() - 1);
}

Task gather(const Member& m, const CollectivesParams& by, std::int64_t bytes, bool equal, int root) {
  if (by.gather == GatherBy::none)
    return m.rank == root ? virtual_call(m, 0, m.size() - 1) : virtual_call(m, m.rank, m.rank);
  return by.gather == GatherBy::binary_tree && equal ? gather_binary_tree(m, bytes, root)
                                                     : gather_direct(m, bytes, root);
}

Task scatter(const Member& m, const CollectivesParams& by, std::vector<std::int64_t> bytes, bool equal, int root) {
  if (by.scatter == ScatterBy::none) return virtual_call(m, root, root);
  if (by.scatter == ScatterBy::binary_tree && equal) return scatter_binary_tree(m, bytes.front(), root);
  return scatter_direct(m, std::move(bytes), root);
}

Task all_gather(const Member& m, const CollectivesParams& by, std::vector<std::int64_t> bytes) {
  switch (by.allgather) {
  case AllgatherBy::direct:
    return all_gather_direct(m, bytes[static_cast<std::size_t>(m.rank)]);
  case AllgatherBy::ring:
    return all_gather_ring(m, std::move(bytes));
  case AllgatherBy::none:
    break;
  }
  return virtual_call(m, 0, m.size() - 1);
}

Task all_to_all(const Member& m, const CollectivesParams& by, std::vector<std::int64_t> bytes) {
  switch (by.alltoall) {
  case AlltoallBy::direct:
    return all_to_all_direct(m, std::move(bytes));
  case AlltoallBy::pairwise:
    return all_to_all_pairwise(m, std::move(bytes));
  case AlltoallBy::none:
    break;
  }
  return virtual_call(m, 0, m.size() - 1);
}

Task scan(const Member& m, const CollectivesParams& by, std::int64_t bytes) {
  return by.scan == ScanBy::chain ? scan_chain(m, bytes) : virtual_call(m, 0, m.rank);
}

} // namespace hypermon::messages
