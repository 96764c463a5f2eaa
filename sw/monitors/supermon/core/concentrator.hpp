// SPDX-License-Identifier: BSD-3-Clause
// A supermon daemon: passes queries on to the daemons below it, gathers their answers, and answers with all of them.
//
// It takes a daemon for dead when its connection is reset or it does not answer in time, and then probes it every
// `retry` until it answers again. Meanwhile daemons below a dead supermon are queried directly (Design::repair): the
// parent knows the tree, and daemons accept queries from any peer.
#pragma once
#include "hw/machine/node_clock.hpp"
#include "sw/monitors/supermon/core/compose.hpp"
#include "sw/monitors/supermon/core/process.hpp"

#include <cstdint>
#include <map>

namespace hypermon::supermon {

struct ConcentratorCounts {
  std::uint64_t queries = 0;   ///< queries received
  std::uint64_t timeouts = 0;  ///< daemons that did not answer in time
  std::uint64_t burials = 0;   ///< daemons taken for dead
  std::uint64_t adoptions = 0; ///< daemons taken over
  std::uint64_t late = 0;      ///< answers that arrived after the end of their query

  ConcentratorCounts& operator+=(const ConcentratorCounts& more);
};

class Concentrator final : public Process {
public:
  /// `clock`: of its computer. References must outlive this object.
  Concentrator(const Design& design, Peer self, Surroundings& around, const NodeClock& clock);

  Time work(std::size_t bytes) const override { return design_.costs.receiving(bytes); }
  void receive(Peer from, const Text& message, Time now, Outbox& out) override;
  void gone(Peer peer, Time now, Outbox& out) override;
  Time due() const override;
  void act(Time now, Outbox& out) override;
  void die(Time now) override;

  const ConcentratorCounts& counts() const { return counts_; }

private:
  /// A query that is not answered yet.
  struct Open {
    Query query;
    Peer from;
    Time deadline;
    std::map<Peer, NodeRuns> waiting; // daemons that must answer, and their nodes
    Gathered gathered;
  };

  void ask(Peer from, Query query, Time now, Outbox& out);
  void take(Peer from, Document answer, Time now, Outbox& out);
  void lose(const Sexpr& answer, Loss why);
  void bury(Peer daemon, Time now, Outbox& out);
  void hear(Peer daemon, Time now);
  /// Stops querying the daemon and the daemons that were taken over because of it.
  void release(Peer daemon);
  /// Answers the query if all awaited daemons have answered. Returns the next open query.
  std::map<std::uint64_t, Open>::iterator answer_if_whole(std::map<std::uint64_t, Open>::iterator open, Outbox& out);
  void send(Peer to, const Query& query, Outbox& out) const;

  const Design& design_;
  Peer self_;
  Surroundings& around_;
  NodeClock clock_;
  std::map<Peer, Time> below_;         // daemons that it queries: never(), or the next probe of a dead one
  std::map<std::uint64_t, Open> open_; // by its own number; deadlines ascend
  std::uint64_t next_ = 1;
  ConcentratorCounts counts_;
};

} // namespace hypermon::supermon
