// SPDX-License-Identifier: BSD-3-Clause
// A world for Supermon's processes: computers that take their time, connections that deliver in order after random
// delays and break when a process ends. It sees to it that no sample comes to two ends, and knows which never came to
// one.
#pragma once
#include "sw/monitors/supermon/core/concentrator.hpp"
#include "sw/monitors/supermon/core/mon.hpp"
#include "sw/monitors/supermon/core/sink.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <random>
#include <set>
#include <vector>

namespace hypermon::supermon::testing {

/// A query's end, as its client saw it.
struct Ended {
  std::uint32_t sink;
  NodeRuns asked;
  NodeRuns missing;
  Time at;
};

/// Kernels that return the time, monholes that keep the last expression, and a log of arrivals.
class Computers final : public Surroundings {
public:
  void sample(NodeId node, const Query& query, Time now, SexprWriter& out) override;
  void put(NodeId node, const std::string& source, Text text, Time now) override;
  void mon_died(NodeId node, Time) override { written.erase(node); }
  void arrive(std::uint32_t sink, const Sexpr& sample, Time now) override;
  void lose(std::uint64_t serial, Loss why) override;
  void buried(Peer, Peer daemon, Time now) override { burials.emplace_back(daemon, now); }
  void answered(std::uint32_t sink, const NodeRuns& asked, const NodeRuns& missing, Time now) override;

  std::map<NodeId, std::string> written;
  std::uint64_t taken = 0;
  std::uint64_t arrived = 0;
  std::map<Loss, std::uint64_t> lost;
  std::set<std::uint64_t> under_way; ///< serial numbers without a fate
  std::uint64_t wrong = 0;           ///< second fates, and values that differ from those that were read
  std::vector<Ended> ended;
  std::vector<std::pair<Peer, Time>> burials;

private:
  void settle(std::uint64_t serial) { wrong += under_way.erase(serial) == 1 ? 0 : 1; }
  std::map<std::uint32_t, std::set<NodeId>> seen_; // nodes by client, since its last answer
};

class World {
public:
  /// `clocks`: of the daemons' computers, by daemon; none: they are exact.
  World(const Design& design, std::uint64_t seed, std::vector<NodeClock> clocks = {});

  Time now() const { return now_; }
  void run_until(Time until);
  /// Returns the client's number. `clock`: of its computer.
  std::uint32_t add_client(SinkSetting setting, const NodeClock& clock = {});
  /// Stops the daemon from now on for this time. `is_silent`: its computer is off, so that peers get no reset.
  void kill(Peer daemon, Time duration, bool is_silent);
  bool is_alive(Peer daemon) const { return processes_[index(daemon)].process != nullptr; }
  Mon& mon(NodeId node) { return dynamic_cast<Mon&>(*processes_[hypermon::index(node)].process); }
  const Sink& client(std::uint32_t number) const {
    return dynamic_cast<const Sink&>(*processes_[design_.tree.daemons() + number].process);
  }
  const ConcentratorCounts& counts(Peer supermon) const {
    return dynamic_cast<const Concentrator&>(*processes_[index(supermon)].process).counts();
  }
  Computers& computers() { return computers_; }
  /// No query begins any more.
  void stop_clients() { stopped_ = true; }

private:
  struct Arrived {
    Peer from;
    Text message; // null: the connection is gone
  };
  struct Running {
    std::unique_ptr<Process> process;
    std::uint32_t incarnation = 0;
    bool is_silent = false;
    bool is_busy = false;
    std::deque<Arrived> queue;
  };
  struct Event {
    Time at;
    std::uint64_t number;
    std::function<void()> act;
    bool operator<(const Event& other) const { return at != other.at ? at > other.at : number > other.number; }
  };
  using Link = std::pair<Peer, Peer>;

  void at(Time when, std::function<void()> act) { events_.push({when, ++events_made_, std::move(act)}); }
  Time draw(Time most) {
    return Time::from_ps(static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most.ps())));
  }
  std::unique_ptr<Process> make(Peer daemon);
  bool may_act(Peer who) const { return !stopped_ || design_.tree.is_daemon(who); }
  void send(Peer from, Peer to, Text message);
  void deliver(Peer from, Peer to, const Text& message, std::uint32_t incarnation);
  void tell_gone(Peer whom, Peer who);
  /// Next action of an idle process.
  void go_on(Peer who);
  void carry_out(Peer who, const Outbox& out);
  void wake(Peer who);

  const Design& design_;
  std::vector<NodeClock> clocks_;
  Computers computers_;
  std::mt19937_64 random_;
  Time now_;
  bool stopped_ = false;
  std::priority_queue<Event> events_;
  std::uint64_t events_made_ = 0;
  std::deque<Running> processes_;
  std::map<Link, Time> last_;                                    ///< when the last message arrives
  std::map<Link, std::pair<std::uint32_t, std::uint32_t>> open_; ///< incarnations of lower and higher peer
};

} // namespace hypermon::supermon::testing
