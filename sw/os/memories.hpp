// SPDX-License-Identifier: BSD-3-Clause
// The nodes' memories, and the time that a rank loses when part of its working set is not in memory.
#pragma once
#include "hw/machine/memory.hpp"
#include "sw/os/ranks.hpp"

#include <string>
#include <vector>

namespace hypermon {

class Spec;

class Memories {
public:
  explicit Memories(const Spec& spec);

  bool are_modelled() const { return !nodes_.empty(); }
  /// Null if memory is not modelled.
  const NodeMemory* find(NodeId node) const { return nodes_.empty() ? nullptr : &nodes_[index(node)]; }
  NodeMemory* find(const RankState& rank) {
    return nodes_.empty() || !rank.instrumented ? nullptr : &nodes_[index(rank.kernel->node())];
  }
  /// Number of the rank among the ranks of its node.
  std::size_t on_its_node(const RankState& rank) const { return static_cast<std::size_t>(rank.rank % ranks_per_node_); }
  /// Adds a process that occupies memory. No effect if memory is not modelled.
  void add_bystander(NodeId node, const std::string& name, std::int64_t bytes);

  // Time for one page: to read it from disk, and to touch it for the first time.
  Time page_read() const { return page_read_; }
  Time page_touch() const { return page_touch_; }
  /// Longest time that a rank computes before it waits for the pages that it has missed meanwhile.
  Time stretch() const { return stretch_; }

private:
  int ranks_per_node_;
  std::vector<NodeMemory> nodes_; // empty: not modelled
  Time page_read_;
  Time page_touch_;
  Time stretch_;
};

} // namespace hypermon
