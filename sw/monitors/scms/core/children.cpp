// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/scms/core/children.hpp"

#include <algorithm>
#include <utility>

namespace hypermon::scms {

Children::Children(const Tree& tree, Peer self, bool all_there) : below_(tree.below(self)), via_(below_->size()) {
  if (!all_there) return;
  for (const Peer child : tree.children(self)) {
    children_[child] = {};
    join(child, *tree.below(child));
  }
}

std::vector<Peer> Children::all() const {
  std::vector<Peer> peers;
  peers.reserve(children_.size());
  for (const auto& [peer, child] : children_) peers.push_back(peer);
  return peers;
}

void Children::heard(Peer from, Time now) {
  if (const auto found = children_.find(from); found != children_.end()) found->second.heard = now;
}

std::vector<Peer> Children::silent(Time now, Time longest) const {
  std::vector<Peer> peers;
  for (const auto& [peer, child] : children_)
    if (now - child.heard > longest) peers.push_back(peer);
  return peers;
}

bool Children::begins_anew(Peer child, std::uint32_t incarnation) const {
  const auto found = children_.find(child);
  return found != children_.end() && found->second.incarnation != incarnation;
}

void Children::enter(Peer child, std::uint32_t incarnation, Time now) { children_[child] = {incarnation, now, false}; }

void Children::join(Peer child, const std::vector<NodeId>& nodes) {
  for (const NodeId node : nodes) {
    std::optional<Peer>& via = via_[place_of(node).value()];
    live_ += via ? 0 : 1;
    via = child;
  }
}

std::vector<NodeId> Children::leave(Peer child, const std::vector<NodeId>& nodes) {
  std::vector<NodeId> gone;
  for (const NodeId node : nodes) {
    std::optional<Peer>& via = via_[place_of(node).value()];
    if (via != child) continue; // the node has moved to another child, which reported it earlier
    via.reset();
    gone.push_back(node);
  }
  live_ -= gone.size();
  return gone;
}

std::vector<NodeId> Children::nodes_of(Peer child) const {
  std::vector<NodeId> nodes;
  for (std::size_t i = 0; i < via_.size(); ++i)
    if (via_[i] == child) nodes.push_back((*below_)[i]);
  return nodes;
}

bool Children::agrees(Peer child, std::size_t live) {
  const auto found = children_.find(child);
  if (found == children_.end()) return true;
  const auto here = static_cast<std::size_t>(std::count(via_.begin(), via_.end(), std::optional(child)));
  const bool differed = std::exchange(found->second.differs, here != live);
  return !differed || here == live;
}

std::optional<std::size_t> Children::place_of(NodeId node) const {
  const std::size_t guess = hypermon::index(node) - hypermon::index(below_->front());
  if (guess < below_->size() && (*below_)[guess] == node) return guess; // consecutive nodes
  const auto found = std::lower_bound(below_->begin(), below_->end(), node);
  if (found == below_->end() || *found != node) return {};
  return static_cast<std::size_t>(found - below_->begin());
}

std::optional<Peer> Children::via(NodeId node) const {
  const auto place = place_of(node);
  return place ? via_[*place] : std::nullopt;
}

NodeSet Children::live() const {
  std::vector<NodeId> nodes;
  nodes.reserve(live_);
  for (std::size_t i = 0; i < via_.size(); ++i)
    if (via_[i]) nodes.push_back((*below_)[i]);
  return node_set(std::move(nodes));
}

} // namespace hypermon::scms
