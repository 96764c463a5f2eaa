// SPDX-License-Identifier: BSD-3-Clause
// The tree of agents: partitions of CMAs and SMAs.
#pragma once
#include "sw/monitors/scms/core/ids.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon::scms {

/// A partition as the user writes it: an SMA for nodes and for partitions.
struct Partition {
  std::vector<NodeId> nodes;
  std::vector<Partition> partitions;
};

/// Nodes 0 to `nodes` - 1 in partitions of at most `fanout` agents, with as many levels as necessary. Partitions are as
/// even as possible and contain consecutive nodes.
Partition even_partitions(std::uint32_t nodes, std::uint32_t fanout);

class Tree {
public:
  /// `root` must contain every node from 0 to `nodes` - 1 once, and no partition without a node. The parser of a user's
  /// text ensures that.
  Tree(std::uint32_t nodes, const Partition& root);

  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t smas() const { return static_cast<std::uint32_t>(agents_.size()) - nodes_; }
  std::uint32_t agents() const { return static_cast<std::uint32_t>(agents_.size()); }
  Peer root() const { return Peer{nodes_}; }
  Peer sma(std::uint32_t number) const { return Peer{nodes_ + number}; }
  bool is_agent(Peer peer) const { return index(peer) < agents_.size(); }
  bool is_cma(Peer peer) const { return index(peer) < nodes_; }

  std::optional<Peer> parent(Peer agent) const { return at(agent).parent; }
  /// CMAs by node, then SMAs.
  const std::vector<Peer>& children(Peer sma) const { return at(sma).children; }
  /// Parent, its parent, and so on up to the root.
  std::vector<Peer> ancestors(Peer agent) const;
  bool is_ancestor(Peer ancestor, Peer agent) const;
  /// Nodes below the agent; for a CMA, its own node.
  const NodeSet& below(Peer agent) const { return at(agent).below; }
  /// 0 for the root.
  std::uint32_t level(Peer agent) const { return at(agent).level; }
  /// 0 for CMAs; otherwise one more than the highest child.
  std::uint32_t height(Peer agent) const { return at(agent).height; }

private:
  struct Agent {
    std::optional<Peer> parent;
    std::vector<Peer> children;
    NodeSet below;
    std::uint32_t level = 0;
    std::uint32_t height = 0;
  };
  const Agent& at(Peer agent) const { return agents_.at(index(agent)); }

  std::uint32_t nodes_;
  std::vector<Agent> agents_; // by Peer
};

} // namespace hypermon::scms
