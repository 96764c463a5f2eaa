// SPDX-License-Identifier: BSD-3-Clause
// The tree of processes: a mon on every node, supermon daemons above them, and clients.
#pragma once
#include "sw/monitors/supermon/core/node_runs.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace hypermon::supermon {

/// The mon of node n has number n. Supermons follow (the root first, then level by level), then the clients.
enum class Peer : std::uint32_t {};
constexpr std::uint32_t index(Peer peer) { return static_cast<std::uint32_t>(peer); }

class Tree {
public:
  /// Each supermon has consecutive nodes and at most `fan_out` daemons below it. There are as many levels as necessary,
  /// and subtrees are as even as possible. There is a root even above a single node.
  Tree(std::uint32_t nodes, std::uint32_t fan_out);

  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t supermons() const { return daemons() - nodes_; }
  /// Number of mons and supermons.
  std::uint32_t daemons() const { return static_cast<std::uint32_t>(daemons_.size()); }
  Peer root() const { return Peer{nodes_}; }
  Peer mon(NodeId node) const { return Peer{index(node)}; }
  Peer supermon(std::uint32_t number) const { return Peer{nodes_ + number}; }
  bool is_mon(Peer peer) const { return index(peer) < nodes_; }
  bool is_daemon(Peer peer) const { return index(peer) < daemons_.size(); }

  std::optional<Peer> parent(Peer daemon) const { return at(daemon).parent; }
  const std::vector<Peer>& children(Peer supermon) const { return at(supermon).children; }
  /// Nodes below the daemon; for a mon, its own node.
  const NodeRuns& below(Peer daemon) const { return at(daemon).below; }
  /// 0 for mons; otherwise one more than the highest child.
  std::uint32_t height(Peer daemon) const { return at(daemon).height; }

private:
  struct Daemon {
    std::optional<Peer> parent{};
    std::vector<Peer> children{};
    NodeRuns below{};
    std::uint32_t height = 0;
  };
  const Daemon& at(Peer daemon) const { return daemons_.at(index(daemon)); }

  std::uint32_t nodes_;
  std::vector<Daemon> daemons_; // by Peer
};

} // namespace hypermon::supermon
