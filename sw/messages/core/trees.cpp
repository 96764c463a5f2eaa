// SPDX-License-Identifier: BSD-3-Clause
// Algorithms on the binary tree: broadcasts, reductions, a barrier, a scatter.
#include "sw/messages/core/algorithms.hpp"

#include <bit>

namespace hypermon::messages {

Tree binary_tree(int rank, int size, int root) {
  const auto exchanged = [root](int r) { return r == root ? 0 : r == 0 ? root : r; };
  const int v = exchanged(rank);
  const int levels = static_cast<int>(std::bit_width(static_cast<unsigned>(size - 1)));
  const int below = v == 0 ? levels : std::countr_zero(static_cast<unsigned>(v));
  Tree tree;
  if (v != 0) tree.parent = exchanged(v & (v - 1));
  for (int i = below - 1; i >= 0; --i)
    if (v + (1 << i) < size) tree.children.push_back(exchanged(v + (1 << i)));
  return tree;
}

Task broadcast_binary_tree_simple(const Member& m, std::int64_t bytes, int root) {
  co_await m.step();
  const Tree tree = binary_tree(m.rank, m.size(), root);
  if (tree.parent >= 0) {
    AtOnce from = m.at_once("bcast/binary_tree_simple", 0);
    from.receive(tree.parent);
    co_await from;
    co_await m.step();
  }
  AtOnce to = m.at_once("bcast/binary_tree_simple", 0);
  for (const int child : tree.children) to.send(child, bytes + collective_header);
  co_await to;
}

Task broadcast_binary_tree(const Member& m, std::int64_t bytes, int root) {
  co_await m.step();
  if (m.size() == 1) co_return;
  if (bytes > m.eager_limit()) {
    const Tree tree = binary_tree(m.rank, m.size(), root);
    AtOnce ready = m.at_once("bcast/binary_tree", 0);
    for (const int child : tree.children) ready.receive(child, Phase::ready);
    if (tree.parent >= 0) ready.send(tree.parent, collective_header, Phase::ready);
    co_await ready;
    co_await m.step();
  }
  co_await broadcast_binary_tree_simple(m, bytes, root);
}

namespace {

constexpr std::int64_t block = 1024 * 1024;
std::int64_t blocks_of(std::int64_t bytes) { return bytes <= block ? 1 : (bytes + block - 1) / block; }
std::int64_t block_bytes(std::int64_t bytes, std::int64_t number) {
  return std::min(block, bytes - number * block) + collective_header;
}

} // namespace

Task broadcast_blockwise(const Member& m, std::int64_t bytes, int root) {
  const Tree tree = binary_tree(m.rank, m.size(), root);
  if (m.size() == 1) {
    co_await m.step();
    co_return;
  }
  for (std::int64_t b = 0; b < blocks_of(bytes); ++b) {
    const auto number = static_cast<int>(b);
    const bool waited = tree.parent < 0 || b == 0 || !tree.children.empty();
    if (waited) co_await m.step(); // a step that posts nothing is omitted
    if (tree.parent >= 0) {
      AtOnce from = m.at_once("bcast/blockwise", number);
      from.receive(tree.parent);
      co_await from;
      co_await m.step();
    }
    AtOnce to = m.at_once("bcast/blockwise", number);
    for (const int child : tree.children) to.send(child, block_bytes(bytes, b));
    co_await to;
  }
}

Task broadcast_piped_blockwise(const Member& m, std::int64_t bytes, int root) {
  const auto exchanged = [root](int r) { return r == root ? 0 : r == 0 ? root : r; };
  const int v = exchanged(m.rank);
  const bool is_last = v == m.size() - 1;
  const std::int64_t blocks = blocks_of(bytes);
  co_await m.step();
  if (m.size() == 1) co_return;
  // In round b, block b arrives and the block before it leaves. The root has all blocks.
  for (std::int64_t b = 0; b < blocks + (v == 0 || is_last ? 0 : 1); ++b) {
    if (b > 0) co_await m.step();
    AtOnce round = m.at_once("bcast/piped_blockwise", static_cast<int>(b));
    if (v > 0 && b < blocks) round.receive(exchanged(v - 1));
    if (v > 0 && b == 0) round.send(exchanged(v - 1), collective_header, Phase::ready);
    if (!is_last && b == 0) round.receive(exchanged(v + 1), Phase::ready);
    if (v == 0) round.send(exchanged(1), block_bytes(bytes, b));
    if (v > 0 && !is_last && b > 0) round.send(exchanged(v + 1), block_bytes(bytes, b - 1));
    co_await round;
  }
}

Task combine(const Member& m, std::int64_t bytes, std::int64_t operands) {
  const std::int64_t cycles = m.combining.as_paper ? bytes + 1 : operands * bytes / m.combining.bytes_per_cycle;
  co_await m.work(std::max<std::int64_t>(cycles, 1));
}

Task reduce_binary_tree_simple(const Member& m, std::int64_t bytes, int root) {
  co_await m.step();
  const Tree tree = binary_tree(m.rank, m.size(), root);
  const bool is_root = tree.parent < 0;
  if (!tree.children.empty()) {
    AtOnce from = m.at_once("reduce/binary_tree_simple", 0);
    for (const int child : tree.children) from.receive(child);
    co_await from;
    if (!is_root || !m.combining.as_paper) co_await combine(m, bytes, static_cast<std::int64_t>(tree.children.size()));
  }
  if (is_root) co_return;
  AtOnce to = m.at_once("reduce/binary_tree_simple", 0);
  to.send(tree.parent, bytes + collective_header);
  co_await to;
}

Task reduce_binary_tree(const Member& m, std::int64_t bytes, int root) {
  co_await m.step();
  if (m.size() == 1) co_return;
  if (bytes > m.eager_limit()) {
    const Tree tree = binary_tree(m.rank, m.size(), root);
    AtOnce ready = m.at_once("reduce/binary_tree", 0);
    for (const int child : tree.children) ready.send(child, collective_header, Phase::ready);
    if (tree.parent >= 0) ready.receive(tree.parent, Phase::ready);
    co_await ready;
    co_await m.step();
  }
  co_await reduce_binary_tree_simple(m, bytes, root);
}

namespace {

/// Ranks of a reduction by halves: the largest power of two of the ranks, which includes the root. Each rank beyond it
/// has a neighbour in the group. Without ranks beyond it, the group has all ranks.
struct Group {
  int beyond; // pairs with one rank outside of the group: the first ranks
  int root;
  int rank(int index) const {
    if (index >= beyond) return index + beyond;
    return root == 2 * index + 1 ? root : 2 * index;
  }
  int index(int rank) const { return rank < 2 * beyond ? rank / 2 : rank - beyond; }
};

Task gather_in_group(const Member& m, std::int64_t bytes, Group group) {
  const char* const name = "gather/binary_tree";
  co_await m.step();
  const int size = m.size() - group.beyond;
  const int root = group.index(group.root);
  const int index = group.index(m.rank);
  const Tree tree = binary_tree(index, size, root);
  for (auto child = tree.children.rbegin(); child != tree.children.rend(); ++child) {
    AtOnce in = m.at_once(name, 0);
    in.receive(group.rank(*child), Phase::more);
    co_await in;
    co_await m.step();
  }
  if (tree.parent < 0) co_return;
  const int v = index == 0 ? root : index;
  const int under_it = std::min(v & -v, size - v);
  AtOnce out = m.at_once(name, 0);
  out.send(group.rank(tree.parent), bytes * under_it, Phase::more);
  co_await out;
}

} // namespace

Task gather_binary_tree(const Member& m, std::int64_t bytes, int root) {
  return gather_in_group(m, bytes, {.beyond = 0, .root = root});
}

Task reduce_scatter_gather(const Member& m, std::int64_t bytes, int root) {
  const char* const name = "reduce/scatter_gather";
  co_await m.step();
  if (m.size() == 1) co_return;
  const int size = static_cast<int>(std::bit_floor(static_cast<unsigned>(m.size())));
  const Group group{.beyond = m.size() - size, .root = root};
  const int index = group.index(m.rank);
  if (m.rank < 2 * group.beyond) {
    const bool is_in_group = group.rank(index) == m.rank;
    AtOnce first = m.at_once(name, 0);
    if (is_in_group)
      first.receive(m.rank ^ 1, Phase::ready);
    else
      first.send(m.rank ^ 1, bytes + collective_header, Phase::ready);
    co_await first;
    if (!is_in_group) co_return;
    co_await combine(m, bytes, 1);
  }
  co_await m.step();
  std::int64_t half = bytes;
  for (int distance = 1, round = 0; distance < size; distance <<= 1, ++round) {
    half /= 2;
    const int partner = group.rank(index ^ distance);
    AtOnce both = m.at_once(name, round + 1);
    both.send(partner, half + collective_header);
    both.receive(partner);
    co_await both;
    // The paper's simulator charges all combining after the second exchange, and none for two ranks.
    const std::int64_t share = bytes / size + (index < bytes % size ? 1 : 0);
    if (!m.combining.as_paper)
      co_await combine(m, half, 1);
    else
      co_await m.work(round == 1 ? share * (size - 1) + 1 : 1);
  }
  co_await m.step();
  co_await gather_in_group(m, bytes / size + bytes % size, group);
}

Task barrier_binary_tree(const Member& m) {
  co_await m.step();
  const Tree tree = binary_tree(m.rank, m.size(), 0);
  if (!tree.children.empty()) {
    AtOnce from = m.at_once("barrier/binary_tree", 0);
    for (const int child : tree.children) from.receive(child);
    co_await from;
    co_await m.step();
  }
  if (tree.parent >= 0) {
    AtOnce up = m.at_once("barrier/binary_tree", 0);
    up.send(tree.parent, 0);
    up.receive(tree.parent);
    co_await up;
    co_await m.step();
  }
  AtOnce down = m.at_once("barrier/binary_tree", 1);
  for (const int child : tree.children) down.send(child, 0);
  co_await down;
}

Task scatter_binary_tree(const Member& m, std::int64_t bytes, int root) {
  co_await m.step();
  if (m.size() == 1) co_return;
  const char* const name = "scatter/binary_tree";
  const Tree tree = binary_tree(m.rank, m.size(), root);
  if (tree.parent >= 0) {
    AtOnce in = m.at_once(name, 0);
    in.send(tree.parent, collective_header, Phase::ready);
    in.receive(tree.parent);
    co_await in;
    if (tree.children.empty()) co_return;
    co_await m.step();
  }
  AtOnce first = m.at_once(name, 0);
  first.receive(tree.children.front(), Phase::ready);
  co_await first;
  const auto exchanged = [root](int r) { return r == root ? 0 : r == 0 ? root : r; };
  for (std::size_t c = 0; c < tree.children.size(); ++c) {
    co_await m.step();
    const int v = exchanged(tree.children[c]);
    const int under_it = std::min(v & -v, m.size() - v); // size of the child's subtree
    AtOnce out = m.at_once(name, static_cast<int>(c));
    if (c + 1 < tree.children.size()) out.receive(tree.children[c + 1], Phase::ready);
    out.send(tree.children[c], bytes * under_it + collective_header);
    co_await out;
  }
}

} // namespace hypermon::messages
