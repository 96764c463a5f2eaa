// SPDX-License-Identifier: BSD-3-Clause
// A client on its computer: makes calls at given times, and selects a node if it is a scheduler.
#pragma once
#include "sw/monitors/scms/clients/dates.hpp"
#include "sw/monitors/scms/clients/outcome.hpp"
#include "sw/monitors/scms/rmi.hpp"

#include <functional>
#include <map>
#include <optional>

namespace hypermon::scms {

class Client {
public:
  /// Settings that all clients of a kind share.
  struct Kind {
    ScmsClientParams params;
    NodeSet nodes; ///< null: the live nodes
    ResourceVector resources;
    Outcome outcome;
    /// True value on the node by which a scheduler selects; null: unknown.
    std::function<std::int64_t(NodeId, Time)> truth;
  };
  /// `clock`: of the client's computer.
  Client(Kind& kind, Wiring& wiring, Peer self, const NodeClock& clock, std::uint64_t seed)
      : kind_(kind), wiring_(wiring), self_(self), clock_(clock), dates_(kind.params, clock, seed) {}

  void run(Daemon& self);

private:
  /// Selection in one call: the least loaded node so far, and the nodes that have answered.
  struct Choice {
    std::optional<NodeId> node;
    std::int64_t value = 0;
    std::vector<NodeId> answered;
    void see(const Answer& answer);
  };
  /// Opens a session if the parameters ask for one.
  void open_session(Daemon& self) const;
  NodeSet nodes(Rmi& rmi) const { return kind_.nodes ? kind_.nodes : node_set(rmi.live_nodes()); }
  /// Makes a call for all nodes. Returns its request if it is not complete yet.
  std::optional<std::uint64_t> call(Daemon& self, Rmi& rmi, Time date);
  void end_call(Time date, Time now, const Choice& choice);
  bool is_over() const;
  /// A call has ended: calls whose time has passed meanwhile are missed, or made late.
  void catch_up(Time now);

  Kind& kind_;
  Wiring& wiring_;
  Peer self_;
  NodeClock clock_;
  Dates dates_;
  std::int64_t made_ = 0;
};

} // namespace hypermon::scms
