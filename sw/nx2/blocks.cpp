// SPDX-License-Identifier: BSD-3-Clause
// Global operations that move one block for each rank.
#include "sw/nx2/global_operations.hpp"

#include <algorithm>

namespace hypermon::global_operations {

void gather_tree(const Operation& o, char* packed, int bytes, int root) {
  o.by("nx2/gather_tree");
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

void scatter_tree(const Operation& o, char* packed, int bytes, int root) {
  o.by("nx2/scatter_tree");
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

namespace {

/// Dimension exchange of packed blocks, or a ring. Block r extends from at[r] to at[r + 1].
void all_gather(const Operation& o, char* packed, const std::vector<std::int64_t>& at) {
  const auto from = [&](int r) { return at[static_cast<std::size_t>(r)]; };
  const auto exchange = [&](int first_out, int first_in, int blocks, int to, int source) {
    o.exchange(packed + from(first_out), static_cast<int>(from(first_out + blocks) - from(first_out)), MPI_BYTE, to,
               packed + from(first_in), static_cast<int>(from(first_in + blocks) - from(first_in)), MPI_BYTE, source);
  };
  o.by(o.is_cube() ? "nx2/all_gather_exchange" : "nx2/all_gather_ring");
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

} // namespace

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

void all_to_all(const Operation& o, const Blocks& out, const Blocks& in) {
  o.by("nx2/all_to_all_pairs");
  o.copy(out.block(o.rank), out.count(o.rank), out.type(o.rank), in.block(o.rank), in.count(o.rank), in.type(o.rank));
  for (int step = 1; step < o.size; ++step) {
    const int to = o.is_cube() ? o.rank ^ step : (o.rank + step) % o.size;
    const int from = o.is_cube() ? to : (o.rank - step + o.size) % o.size;
    o.exchange(out.block(to), out.count(to), out.type(to), to, in.block(from), in.count(from), in.type(from), from);
  }
}

void scatter_each(const Operation& o, const Blocks& out, void* in, int count, MPI_Datatype type, int root) {
  o.by("nx2/scatter_each");
  if (o.rank != root) return o.receive(in, count, type, root);
  for (int r = 0; r < o.size; ++r)
    if (r != root) o.send(out.block(r), out.count(r), out.type(r), r);
  if (in != MPI_IN_PLACE) o.copy(out.block(root), out.count(root), out.type(root), in, count, type);
}

} // namespace hypermon::global_operations
