// SPDX-License-Identifier: BSD-3-Clause
// A client as a process on its computer: makes calls at its dates, and chooses a node if it is a scheduler.
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
  /// What all clients of a kind share.
  struct Kind {
    ScmsClientParams params;
    NodeSet nodes; ///< null: those that are live
    ResourceVector resources;
    Outcome outcome;
    /// What the node has in truth of what a scheduler chooses by; null: nobody knows.
    std::function<std::int64_t(NodeId, Time)> truth;
  };
  Client(Kind& kind, Wiring& wiring, Peer self, std::uint64_t seed)
      : kind_(kind), wiring_(wiring), self_(self), dates_(kind.params, seed) {}

  void run(Daemon& self);

private:
  /// The least loaded so far, of one call, and who has answered.
  struct Choice {
    std::optional<NodeId> node;
    std::int64_t value = 0;
    std::vector<NodeId> answered;
    void see(const Answer& answer);
  };
  /// Opens a session, if one is wanted.
  void open_session(Daemon& self) const;
  NodeSet nodes(Rmi& rmi) const { return kind_.nodes ? kind_.nodes : node_set(rmi.live_nodes()); }
  /// A call for all of these. Its request, if it is not over yet.
  std::optional<std::uint64_t> call(Daemon& self, Rmi& rmi, Time date);
  void end_call(Time date, Time now, const Choice& choice);
  bool is_over() const;
  /// There is room again: dates that have passed meanwhile were missed, or their calls are made late.
  void catch_up(Time now);

  Kind& kind_;
  Wiring& wiring_;
  Peer self_;
  Dates dates_;
  std::int64_t made_ = 0;
};

} // namespace hypermon::scms
