// SPDX-License-Identifier: BSD-3-Clause
// Open requests of an SMA: the answers that it owes, and the requests that it has sent. Requests for the same data are
// merged on the way down, answers on the way up. Each requester gets its own part.
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
  /// `clock`: of the SMA's computer. `first_id`: greater than any id that earlier incarnations of this SMA used.
  Requests(const Design& design, Peer self, Surroundings& around, const NodeClock& clock, AgentCounts& counts,
           std::uint64_t first_id);

  /// The nodes of the request, by the peer that gets a request for them.
  using Below = std::map<Peer, std::vector<NodeId>>;
  /// `known`: rows that are answered here. Sends complete answers and requests the rest. `above`: the parent, if it
  /// gets a request.
  void open(Peer to, const Request& request, Rows known, const Below& ask, std::optional<Peer> above, Time now,
            Outbox& out);
  void reply(Peer from, const Reply& reply, Time now, Outbox& out);
  /// The target has died: everything requested from it is missing.
  void dead(Peer target, Time now, Outbox& out);
  /// The requester has died.
  void drop(Peer requester);
  Time due() const { return deadlines_.empty() ? Time::never() : deadlines_.begin()->first; }
  void expire(Time now, Outbox& out);
  std::size_t owed() const { return owed_.size(); }

private:
  using Id = std::uint64_t;
  /// An answer to a requester.
  struct Owed {
    Peer to;
    Request request;
    Rows rows; ///< an answer that leaves whole: a row for each node; otherwise the rows since the last reply
    std::vector<bool> has; ///< by index among its nodes
    std::size_t left;
  };
  /// One request to a child, or to the parent.
  struct Forwarded {
    Peer target;
    Request request;
    std::vector<bool> has;
    std::size_t left;
    bool is_above;
    std::vector<Id> requesters; ///< ids in owed_, the first requester first
  };
  using ForwardedPlace = std::map<Id, Forwarded>::iterator;

  void forward(Peer target, std::vector<NodeId> nodes, const Request& request, Id requester, bool is_above, Time now,
               Outbox& out);
  /// Removes nodes from `nodes` that are already being requested from the target.
  void merge(Peer target, std::vector<NodeId>& nodes, const Request& request, Id requester);
  void send(Id id, Time now, Outbox& out);
  void give(Forwarded& forwarded, NodeId node, std::span<const Value> values);
  void give_up(ForwardedPlace forwarded, Time now, Outbox& out);
  /// The request is complete.
  void settle(ForwardedPlace forwarded, Time now, Outbox& out);
  /// Sends the complete answers to its requesters, and the parts that are large enough.
  void answer(const std::vector<Id>& requesters, Outbox& out);
  /// True if every answer is one message.
  bool is_whole() const { return design_.merge_replies && design_.part == 0; }
  bool can_leave(const Owed& owed) const;

  const Design& design_;
  Surroundings& around_;
  AgentCounts& counts_;
  Time down_; ///< true time until an answer from below is given up, and below it one from above
  Time up_;
  Id last_;
  std::map<Id, Owed> owed_;
  std::map<Id, Forwarded> forwarded_;
  std::map<Peer, std::vector<Id>> forwarded_to_; // by target
  std::deque<Id> waiting_;                       // without pipelining; the first one has been sent
  std::multimap<Time, Id> deadlines_;            // deadlines of forwarded_; the request may be complete already
};

} // namespace hypermon::scms
