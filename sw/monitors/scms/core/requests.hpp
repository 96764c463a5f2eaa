// SPDX-License-Identifier: BSD-3-Clause
// Requests that an SMA has open: what it owes to whom, and what it has asked whom for. Requests for the same are merged
// on the way down, answers on the way up; each asker gets its own part.
#pragma once
#include "sw/monitors/scms/core/agent.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace hypermon::scms {

class Requests {
public:
  /// `first_id`: greater than any that its predecessors under this name gave.
  Requests(const Design& design, Peer self, Surroundings& around, AgentCounts& counts, std::uint64_t first_id);

  /// Who is to be asked for which of the request's nodes.
  using Below = std::map<Peer, std::vector<NodeId>>;
  /// `known`: rows that are answered here. Sends what is complete, and asks for the rest; `above`: the parent, if it is
  /// asked.
  void open(Peer to, const Request& request, Rows known, const Below& ask, std::optional<Peer> above, Time now,
            Outbox& out);
  void reply(Peer from, const Reply& reply, Time now, Outbox& out);
  /// Nothing comes from there any more: what it was asked for is missing.
  void dead(Peer target, Time now, Outbox& out);
  /// Nobody waits there any more.
  void drop(Peer asker);
  Time due() const { return deadlines_.empty() ? Time::never() : deadlines_.begin()->first; }
  void expire(Time now, Outbox& out);
  std::size_t owed() const { return owed_.size(); }

private:
  using Id = std::uint64_t;
  /// To an asker.
  struct Owed {
    Peer to;
    Request request;
    Rows rows;             ///< merged replies: a row for each of its nodes; else what has come since the last reply
    std::vector<bool> has; ///< by place among its nodes
    std::size_t left;
  };
  /// One request to one child, or to the parent.
  struct Asked {
    Peer target;
    Request request;
    std::vector<bool> has;
    std::size_t left;
    bool is_above;
    std::vector<Id> askers; ///< of owed_, the first one asked first
  };
  using AskedPlace = std::map<Id, Asked>::iterator;

  void ask(Peer target, std::vector<NodeId> nodes, const Request& request, Id asker, bool is_above, Time now,
           Outbox& out);
  /// Takes from `nodes` those that are being asked for already.
  void merge(Peer target, std::vector<NodeId>& nodes, const Request& request, Id asker);
  void send(Id id, Time now, Outbox& out);
  void give(Asked& asked, NodeId node, std::span<const Value> values);
  void give_up(AskedPlace asked, Time now, Outbox& out);
  /// It is complete.
  void settle(AskedPlace asked, Time now, Outbox& out);
  /// Sends what there is to send to its askers.
  void answer(const std::vector<Id>& askers, Outbox& out);

  const Design& design_;
  Surroundings& around_;
  AgentCounts& counts_;
  Time down_; ///< how long an answer from below may take, and one from above
  Time up_;
  Id last_;
  std::map<Id, Owed> owed_;
  std::map<Id, Asked> asked_;
  std::map<Peer, std::vector<Id>> asked_of_; // by target
  std::deque<Id> waiting_;                   // without pipelining; the first one has been sent
  std::multimap<Time, Id> deadlines_;        // of asked_, perhaps no longer there
};

} // namespace hypermon::scms
