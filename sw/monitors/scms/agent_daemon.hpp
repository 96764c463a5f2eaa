// SPDX-License-Identifier: BSD-3-Clause
// Runs an agent on its computer: it receives, computes and sends, and dies at given times.
#pragma once
#include "hw/machine/site.hpp"
#include "sw/monitors/deaths.hpp"
#include "sw/monitors/scms/core/agent.hpp"
#include "sw/monitors/scms/wiring.hpp"

#include <deque>
#include <memory>
#include <optional>

namespace hypermon::scms {

class AgentDaemon {
public:
  /// `clock`: of the agent's computer. `most_waiting`: largest number of messages with values in its queue; 0: no
  /// limit. References must outlive this object.
  AgentDaemon(Wiring& wiring, Peer self, const NodeClock& clock, Deaths deaths, std::size_t most_waiting);

  /// Does not return.
  void run(Daemon& self);
  /// Called within the agent's own work: its process ends, and restarts after that time (never(): it does not restart).
  void crash(Time after) { crashed_ = after; }

  /// Sum over all its incarnations.
  AgentCounts counts() const;
  bool alive() const { return agent_ != nullptr; }
  std::size_t live() const { return agent_ ? agent_->live() : 0; }
  std::size_t longest_queue() const { return longest_; }
  Time longest_at() const { return longest_at_; }
  std::uint64_t dropped() const { return dropped_; }
  std::optional<Time> first_drop() const { return first_drop_; }
  /// Number of pushes that were handled later than one period after they were sent: an agent on their way is
  /// overloaded.
  std::uint64_t late() const { return late_; }
  std::optional<Time> first_late() const { return first_late_; }
  std::uint32_t incarnations() const { return incarnation_ + 1; }

private:
  void take(Datagram datagram, Time now);
  void handle(Daemon& self);
  void die(Daemon& self, Time end, Closed how);

  Wiring& wiring_;
  Peer self_;
  NodeClock clock_;
  Deaths deaths_;
  std::size_t most_waiting_;
  std::optional<Time> crashed_;
  std::unique_ptr<Agent> agent_;
  AgentCounts before_; // counts of earlier incarnations
  std::uint32_t incarnation_ = 0;
  std::deque<Datagram> queue_;
  std::size_t waiting_ = 0; // messages with values in the queue
  std::size_t longest_ = 0;
  Time longest_at_;
  std::uint64_t dropped_ = 0;
  std::optional<Time> first_drop_;
  std::uint64_t late_ = 0;
  std::optional<Time> first_late_;
};

} // namespace hypermon::scms
