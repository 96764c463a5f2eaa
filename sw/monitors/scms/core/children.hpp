// SPDX-License-Identifier: BSD-3-Clause
// An SMA's book of its children: who is there, which nodes are live, and below whom each of them is.
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
  /// Those that were not heard for longer than that.
  std::vector<Peer> silent(Time now, Time longest) const;

  /// True if the child was there before, and has forgotten it.
  bool begins_anew(Peer child, std::uint32_t incarnation) const;
  void enter(Peer child, std::uint32_t incarnation, Time now);
  /// The nodes are live below that child.
  void join(Peer child, const std::vector<NodeId>& nodes);
  /// They are no more. Returns those that were, below that child.
  std::vector<NodeId> leave(Peer child, const std::vector<NodeId>& nodes);
  std::vector<NodeId> nodes_of(Peer child) const;
  /// The child says that it has so many live nodes. False if that is not so here, for the second time in a row: what
  /// was said at some death has passed each other.
  bool agrees(Peer child, std::size_t live);
  void remove(Peer child) { children_.erase(child); }

  /// None: not live here.
  std::optional<Peer> via(NodeId node) const;
  bool is_below(NodeId node) const { return place_of(node).has_value(); }
  /// Its place among all nodes that are below the SMA in the tree.
  std::optional<std::size_t> place_of(NodeId node) const;
  NodeId node_at(std::size_t place) const { return (*below_)[place]; }
  std::size_t live_count() const { return live_; }
  NodeSet live() const;

private:
  struct Child {
    std::uint32_t incarnation;
    Time heard;
    bool differs = false; ///< when it said last how many nodes it has
  };

  NodeSet below_;
  std::map<Peer, Child> children_;
  std::vector<std::optional<Peer>> via_; // by place
  std::size_t live_ = 0;
};

} // namespace hypermon::scms
