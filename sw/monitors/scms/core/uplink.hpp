// SPDX-License-Identifier: BSD-3-Clause
// An agent's connection to its parent: selects the parent, and notices when it is dead.
#pragma once
#include "hw/machine/node_clock.hpp"
#include "sw/monitors/scms/core/design.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hypermon::scms {

/// The parent is that of the tree or, while it is dead, the next live ancestor. An adopted agent receives a message
/// from its new parent when a nearer ancestor is alive again (Back).
class Uplink {
public:
  /// `live`: returns the nodes with which the agent joins.
  Uplink(const Design& design, Peer self, const NodeClock& clock, std::uint32_t incarnation,
         std::function<NodeSet()> live)
      : design_(design), heartbeat_(clock.stretch(design.heartbeat)), ancestors_(design.tree.ancestors(self)),
        incarnation_(incarnation), live_(std::move(live)),
        next_beat_(heartbeat_ > Time{} && !ancestors_.empty() ? heartbeat_ : Time::never()) {}

  /// None for the root.
  std::optional<Peer> parent() const { return ancestors_.empty() ? std::nullopt : std::optional(ancestors_[at_]); }
  bool is_parent(Peer peer) const { return parent() == peer; }

  void join(Time now, Outbox& out);
  /// Called for any message from `from`.
  void heard(Peer from, Time now) {
    if (is_parent(from)) heard_ = now;
  }
  /// Returns true if the agent joined another parent, which lacks the data that were sent to the previous one.
  bool receive(Peer from, const Message& message, Time now, Outbox& out);
  bool gone(Peer peer, Time now, Outbox& out);
  Time due() const { return next_beat_; }
  /// Like receive(), at due().
  bool act(Time now, Outbox& out);

private:
  /// Joins the next ancestor, or the root again if there is none.
  void give_up(Time now, Outbox& out);

  const Design& design_;
  Time heartbeat_;              // true time that the period takes on the agent's clock
  std::vector<Peer> ancestors_; // from the parent to the root
  std::size_t at_ = 0;
  std::uint32_t incarnation_;
  std::function<NodeSet()> live_;
  Time next_beat_;
  Time heard_;
};

} // namespace hypermon::scms
