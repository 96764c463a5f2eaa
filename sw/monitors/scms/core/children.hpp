// SPDX-License-Identifier: BSD-3-Clause
// An SMA's record of its children: its live children, the live nodes, and the child above each node.
#pragma once
#include "sw/monitors/scms/core/tree.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace hypermon::scms {

class Children {
public:
  Children(const Tree& tree, Peer self, bool all_there);

  bool has(Peer peer) const { return children_.contains(peer); }
  std::size_t count() const { return children_.size(); }
  std::vector<Peer> all() const;
  void heard(Peer from, Time now);
  /// Children that have not been heard for longer than `longest`.
  std::vector<Peer> silent(Time now, Time longest) const;

  /// True if the child was known before, and has restarted with an empty state.
  bool begins_anew(Peer child, std::uint32_t incarnation) const;
  void enter(Peer child, std::uint32_t incarnation, Time now);
  /// The nodes are live below that child.
  void join(Peer child, const std::vector<NodeId>& nodes);
  /// The nodes are no longer live. Returns those that were live below that child.
  std::vector<NodeId> leave(Peer child, const std::vector<NodeId>& nodes);
  std::vector<NodeId> nodes_of(Peer child) const;
  /// The child reports its number of live nodes. Returns false if the number here differs for the second time in a row:
  /// messages about a death have then crossed each other.
  bool agrees(Peer child, std::size_t live);
  void remove(Peer child) { children_.erase(child); }

  /// None if the node is not live here.
  std::optional<Peer> via(NodeId node) const;
  bool is_below(NodeId node) const { return place_of(node).has_value(); }
  /// Index of the node among all nodes that are below the SMA in the tree.
  std::optional<std::size_t> place_of(NodeId node) const;
  NodeId node_at(std::size_t place) const { return (*below_)[place]; }
  std::size_t live_count() const { return live_; }
  NodeSet live() const;

private:
  struct Child {
    std::uint32_t incarnation;
    Time heard;
    bool differs = false; ///< the last number of nodes that it reported was different
  };

  NodeSet below_;
  std::map<Peer, Child> children_;
  std::vector<std::optional<Peer>> via_; // by index of the node
  std::size_t live_ = 0;
};

} // namespace hypermon::scms
