// SPDX-License-Identifier: BSD-3-Clause
// The nodes' memories, and what it costs a rank when its working set is not all in its node's.
#pragma once
#include "hw/machine/memory.hpp"
#include "sw/os/ranks.hpp"

#include <string>
#include <vector>

namespace hypermon {

class Memories {
public:
  explicit Memories(const Spec& spec);

  bool are_modelled() const { return !nodes_.empty(); }
  /// Null: not modelled.
  const NodeMemory* of(NodeId node) const { return nodes_.empty() ? nullptr : &nodes_[index(node)]; }
  NodeMemory* of(const RankState& rank) {
    return nodes_.empty() || !rank.instrumented ? nullptr : &nodes_[index(rank.kernel->node())];
  }
  /// The rank's number among its node's.
  std::size_t on_its_node(const RankState& rank) const { return static_cast<std::size_t>(rank.rank % ranks_per_node_); }
  /// A process that takes room; nothing, where memory is not modelled.
  void add_bystander(NodeId node, const std::string& name, std::int64_t bytes);

  // Of a page: its read from disk, and its first use.
  Time page_read() const { return page_read_; }
  Time page_touch() const { return page_touch_; }
  /// A rank computes for so long, then waits for the pages that it missed.
  Time stretch() const { return stretch_; }

private:
  int ranks_per_node_;
  std::vector<NodeMemory> nodes_; // none: not modelled
  Time page_read_;
  Time page_touch_;
  Time stretch_;
};

} // namespace hypermon
