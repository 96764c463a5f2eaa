// SPDX-License-Identifier: BSD-3-Clause
// Broadcasts, and global operations that combine the ranks' contributions.
#include "sw/nx2/global_operations.hpp"

#include <numeric>

namespace hypermon::global_operations {

void broadcast(const Operation& o, void* data, int count, MPI_Datatype type, int root) {
  o.by("nx2/broadcast_tree");
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

namespace {

/// A broadcast's tree, used from the leaves to the root. `result` holds the rank's own contribution at first.
void reduce_tree(const Operation& o, void* result, int count, MPI_Datatype type, MPI_Op op, int root) {
  o.by("nx2/reduce_tree");
  const int relative = o.relative(root);
  ElementBuffer other(count, type);
  for (int mask = 1; mask < o.size; mask <<= 1) {
    if ((relative & mask) != 0) return o.send(result, count, type, o.absolute(relative - mask, root));
    if (relative + mask >= o.size) continue;
    o.receive(other.at(), count, type, o.absolute(relative + mask, root));
    o.combine_into_lower(result, other.at(), count, type, op);
  }
}

} // namespace

void reduce(const Operation& o, void* result, int count, MPI_Datatype type, MPI_Op op, int root) {
  int commutes = 1;
  PMPI_Op_commutative(op, &commutes);
  if (commutes != 0 || root == 0) return reduce_tree(o, result, count, type, op, root);
  reduce_tree(o, result, count, type, op, 0);
  if (o.rank == 0) o.send(result, count, type, root);
  if (o.rank == root) o.receive(result, count, type, 0);
}

void all_reduce(const Operation& o, void* result, int count, MPI_Datatype type, MPI_Op op) {
  if (!o.is_cube()) {
    reduce(o, result, count, type, op, 0);
    return broadcast(o, result, count, type, 0);
  }
  o.by("nx2/all_reduce_exchange");
  ElementBuffer other(count, type);
  for (int mask = 1; mask < o.size; mask <<= 1) {
    const int partner = o.rank ^ mask;
    o.exchange(result, count, type, partner, other.at(), count, type, partner);
    if (partner < o.rank)
      o.combine_into_upper(other.at(), result, count, type, op);
    else
      o.combine_into_lower(result, other.at(), count, type, op);
  }
}

void scan(const Operation& o, void* result, void* before, int count, MPI_Datatype type, MPI_Op op) {
  o.by("nx2/scan_doubling");
  ElementBuffer other(count, type);
  ElementBuffer sent(count, type);
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

void reduce_scatter(const Operation& o, const void* in, void* result, const int* counts, MPI_Datatype type, MPI_Op op) {
  const int all = std::accumulate(counts, counts + o.size, 0);
  std::vector<int> at(static_cast<std::size_t>(o.size));
  std::exclusive_scan(counts, counts + o.size, at.begin(), 0);
  ElementBuffer own(all, type);
  o.copy(in == MPI_IN_PLACE ? result : in, all, type, own.at(), all, type);
  reduce(o, own.at(), all, type, op, 0);
  scatter_each(o, own_blocks(o.size, own.at(), counts, at.data(), type), result, counts[o.rank], type, 0);
}

} // namespace hypermon::global_operations
