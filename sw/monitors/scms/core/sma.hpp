// SPDX-License-Identifier: BSD-3-Clause
// SMA, the agent of a partition: passes requests down (and up, if clients may request all nodes), collects and caches
// pushed values, and knows the live nodes below it.
#pragma once
#include "sw/monitors/scms/core/agent.hpp"
#include "sw/monitors/scms/core/cache.hpp"
#include "sw/monitors/scms/core/children.hpp"
#include "sw/monitors/scms/core/requests.hpp"
#include "sw/monitors/scms/core/rounds.hpp"
#include "sw/monitors/scms/core/uplink.hpp"

#include <set>
#include <vector>

namespace hypermon::scms {

class Sma final : public Agent {
public:
  Sma(const Design& design, Peer self, Surroundings& around, const NodeClock& clock, std::uint32_t incarnation);

  Time work(const Message& message) const override { return receiving(message, design_.costs); }
  void receive(Peer from, const Message& message, Time now, Outbox& out) override;
  void dropped(Peer from, const Push& push) override;
  void gone(Peer peer, Time now, Outbox& out) override;
  Time due() const override;
  Time work() const override { return {}; }
  void act(Time now, Outbox& out) override;
  void restart(Time now, Outbox& out) override;
  const AgentCounts& counts() const override { return counts_; }
  std::size_t live() const override { return children_.live_count(); }

private:
  /// State of a resource group.
  struct Collected {
    Rounds rounds;
    Time pull_mark;          ///< local time of the next pull
    Time next_pull;          ///< the same in true time
    std::uint64_t round = 0; ///< the most recent one that has arrived
    std::set<Peer> asked{};  ///< children whose answer to a pull is still to come
  };

  void request(Peer from, const Request& request, Time now, Outbox& out);
  void push(Peer from, const Push& push, Time now, Outbox& out);
  void forward(std::uint32_t group, Time now, Outbox& out);
  /// Sends everything to a new parent.
  void tell_all(Outbox& out);
  void pull(std::uint32_t group, Time now, Outbox& out);
  /// Skips pulls whose time has passed.
  void set_next_pull(std::uint32_t group, Time now);
  void join(Peer from, const Join& join, Time now, Outbox& out);
  void members(Peer from, const Members& members, Outbox& out);
  void bury(Peer child, Time now, Outbox& out);
  /// Tells the parent.
  void announce(std::vector<NodeId> joined, std::vector<NodeId> left, Outbox& out);
  void children_changed();
  Rows cached(const Request& request, std::vector<NodeId> nodes);

  const Design& design_;
  Peer self_;
  Surroundings& around_;
  NodeClock clock_;
  AgentCounts counts_;
  Children children_;
  Cache cache_;
  Requests requests_;
  Uplink uplink_;
  std::vector<Collected> collected_; // by group
  Time heartbeat_;                   // true time that the period takes on the agent's clock
  Time next_look_;                   // time of the next check of the children
};

} // namespace hypermon::scms
