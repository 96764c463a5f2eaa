// SPDX-License-Identifier: BSD-3-Clause
// An agent's way up: whom it takes for its parent, and how it notices that this one is dead.
#pragma once
#include "sw/monitors/scms/core/design.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hypermon::scms {

/// The parent of the tree, or, while that is dead, the next ancestor that lives. Whoever is adopted hears from its new
/// parent when an ancestor that is nearer is back (Back).
class Uplink {
public:
  /// `live`: the nodes that it joins with.
  Uplink(const Design& design, Peer self, std::uint32_t incarnation, std::function<NodeSet()> live)
      : design_(design), ancestors_(design.tree.ancestors(self)), incarnation_(incarnation), live_(std::move(live)),
        next_beat_(design.heartbeat > Time{} && !ancestors_.empty() ? design.heartbeat : Time::never()) {}

  /// None of the root.
  std::optional<Peer> parent() const { return ancestors_.empty() ? std::nullopt : std::optional(ancestors_[at_]); }
  bool is_parent(Peer peer) const { return parent() == peer; }

  void join(Time now, Outbox& out);
  /// Whatever came from there.
  void heard(Peer from, Time now) {
    if (is_parent(from)) heard_ = now;
  }
  /// True if the agent joined another parent: what it had told the one before, the new one does not know.
  bool receive(Peer from, const Message& message, Time now, Outbox& out);
  bool gone(Peer peer, Time now, Outbox& out);
  Time due() const { return next_beat_; }
  /// The same, at due().
  bool act(Time now, Outbox& out);

private:
  /// Joins the next ancestor; the root again if there is none.
  void give_up(Time now, Outbox& out);

  const Design& design_;
  std::vector<Peer> ancestors_; // from the parent to the root
  std::size_t at_ = 0;
  std::uint32_t incarnation_;
  std::function<NodeSet()> live_;
  Time next_beat_;
  Time heard_;
};

} // namespace hypermon::scms
