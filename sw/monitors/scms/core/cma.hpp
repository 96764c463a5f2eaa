// SPDX-License-Identifier: BSD-3-Clause
// CMA, the agent on every node: reads the values of plug-ins, on request or periodically.
#pragma once
#include "sw/monitors/scms/core/agent.hpp"
#include "sw/monitors/scms/core/uplink.hpp"

#include <vector>

namespace hypermon::scms {

class Cma final : public Agent {
public:
  Cma(const Design& design, Peer self, Surroundings& around, const NodeClock& clock, std::uint32_t incarnation);

  Time work(const Message& message) const override;
  void receive(Peer from, const Message& message, Time now, Outbox& out) override;
  void gone(Peer peer, Time now, Outbox& out) override;
  Time due() const override;
  Time work() const override;
  void act(Time now, Outbox& out) override;
  void restart(Time now, Outbox& out) override;
  const AgentCounts& counts() const override { return counts_; }
  std::size_t live() const override { return 1; }

private:
  /// State of a resource group.
  struct Kept {
    Time mark;               ///< local time of the next round
    Time next;               ///< the same in true time
    std::vector<Value> sent; ///< by resource, as sent last, for the filter; empty: nothing sent yet
    std::vector<Value> set;  ///< pull mode: read but not yet fetched
    std::uint64_t round = 0; ///< round of the set
  };

  Time read_time(const ResourceVector& resources) const { return std::ssize(*resources) * design_.costs.value; }
  std::vector<Value> read(const std::vector<Resource>& resources, Time now);
  Value carry_out(const Request& request, Time now);
  void sample(std::uint32_t group, Time now, Outbox& out);
  /// Gives tickets to values that are sent. The filter replaces the other values by `same`.
  void filter(const Group& group, Kept& kept, std::vector<Value>& values);
  void push(std::uint32_t group, std::uint64_t round, std::vector<Value> values, Peer to, Outbox& out);
  void begin_anew();
  /// Rounds are at multiples of the period by the node's clock, delayed by the node's share of the spread.
  Time delay(const Group& group) const;
  void set_round(Kept& kept, Time mark, Time now) const;

  const Design& design_;
  NodeId node_;
  NodeSet own_;
  Surroundings& around_;
  NodeClock clock_;
  Uplink uplink_;
  std::vector<Kept> kept_; // by group
  AgentCounts counts_;
};

} // namespace hypermon::scms
