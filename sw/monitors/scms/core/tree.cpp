// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/tree.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace hypermon::scms {
namespace {

/// `count` nodes from `first` on, in partitions of `depth` levels.
Partition even(std::uint32_t first, std::uint32_t count, std::uint32_t fanout, std::uint32_t depth) {
  Partition partition;
  if (depth == 1) {
    for (std::uint32_t n = 0; n < count; ++n) partition.nodes.push_back(NodeId{first + n});
    return partition;
  }
  std::uint64_t most = 1; // nodes below each child
  for (std::uint32_t level = 1; level < depth; ++level) most *= fanout;
  const auto children = static_cast<std::uint32_t>((count + most - 1) / most);
  for (std::uint32_t c = 0; c < children; ++c) {
    const std::uint32_t here = count / children + (c < count % children ? 1 : 0);
    partition.partitions.push_back(even(first, here, fanout, depth - 1));
    first += here;
  }
  return partition;
}

} // namespace

Partition even_partitions(std::uint32_t nodes, std::uint32_t fanout) {
  std::uint32_t depth = 1;
  for (std::uint64_t most = fanout; most < nodes; most *= fanout) ++depth;
  return even(0, nodes, fanout, depth);
}

Tree::Tree(std::uint32_t nodes, const Partition& root) : nodes_(nodes), agents_(nodes) {
  std::deque<std::pair<const Partition*, Peer>> open{{&root, Peer{nodes}}};
  agents_.emplace_back();
  for (; !open.empty(); open.pop_front()) {
    const auto [partition, self] = open.front();
    const auto adopt = [&](Peer child) {
      agents_[index(child)].parent = self;
      agents_[index(child)].level = agents_[index(self)].level + 1;
      agents_[index(self)].children.push_back(child);
    };
    for (const NodeId node : partition->nodes) adopt(Peer{hypermon::index(node)});
    for (const Partition& below : partition->partitions) {
      const Peer child{agents()};
      agents_.emplace_back();
      adopt(child);
      open.emplace_back(&below, child);
    }
  }
  for (std::uint32_t n = 0; n < nodes; ++n) agents_[n].below = node_set({NodeId{n}});
  for (std::uint32_t a = agents(); a-- > nodes;) { // children have larger numbers than their parents
    std::vector<NodeId> below;
    for (const Peer child : agents_[a].children) {
      const Agent& of_child = agents_[index(child)];
      below.insert(below.end(), of_child.below->begin(), of_child.below->end());
      agents_[a].height = std::max(agents_[a].height, of_child.height + 1);
    }
    std::sort(below.begin(), below.end());
    agents_[a].below = node_set(std::move(below));
  }
}

std::vector<Peer> Tree::ancestors(Peer agent) const {
  std::vector<Peer> found;
  for (auto above = parent(agent); above; above = parent(*above)) found.push_back(*above);
  return found;
}

bool Tree::is_ancestor(Peer ancestor, Peer agent) const {
  for (auto above = parent(agent); above; above = parent(*above))
    if (*above == ancestor) return true;
  return false;
}

} // namespace hypermon::scms
