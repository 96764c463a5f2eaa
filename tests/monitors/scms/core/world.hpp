// SPDX-License-Identifier: BSD-3-Clause
// A world for agents: computers that take their time, connections that deliver in order after random delays and break
// when a process ends, clients. It knows every value at every time, and counts what becomes of each sample.
#pragma once
#include "sw/monitors/scms/core/agent.hpp"
#include "sw/monitors/scms/core/session.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <random>
#include <set>
#include <vector>

namespace hypermon::scms::testing {

/// True value of a node's resource over time: constant, or a random walk in steps.
class Truth {
public:
  Truth(std::uint64_t seed, Time step) : seed_(seed), step_(step) {}
  std::int64_t at(NodeId node, Resource resource, Time when) const;

private:
  std::uint64_t seed_;
  Time step_; ///< never(): the value does not change
};

/// Plug-ins that provide resource(1, 0), (1, 1), ..., and surroundings that see to it that no sample comes to two ends.
class Computers final : public Surroundings {
public:
  Computers(const Truth& truth, std::uint32_t functions) : truth_(truth), functions_(functions) {}
  Value read(NodeId node, Resource resource, Time now) override;
  State load(NodeId, PluginId plugin, Time) override { return plugin == 1 ? State::ok : State::failed; }
  State unload(NodeId, PluginId, Time) override { return State::ok; }
  void restart(NodeId, Time) override {}
  std::uint64_t take(NodeId, Resource, Time) override { return ++taken; }
  void arrive(std::uint64_t ticket, Time) override { settle(ticket, arrived); }
  void lose(std::uint64_t ticket, Loss) override { settle(ticket, lost); }

  std::uint64_t taken = 0;
  std::uint64_t arrived = 0;
  std::uint64_t lost = 0;
  std::uint64_t settled_twice = 0;

private:
  void settle(std::uint64_t ticket, std::uint64_t& count);

  const Truth& truth_;
  std::uint32_t functions_;
  std::set<std::uint64_t> settled_;
};

/// A request of a client, and its answer.
struct Asked {
  Peer sma{};
  Request request;
  Time asked;
  std::map<NodeId, std::vector<Value>> rows; ///< rows from replies
  std::uint64_t twice = 0;  ///< number of rows of a node that had already arrived, or that was not requested
  std::uint64_t finals = 0; ///< number of replies marked as the last
  std::uint64_t after_final = 0;
  bool is_broken = false; ///< the SMA or its connection died before it answered
  Time answered;
  std::vector<NodeId> live; ///< answer to Verb::live
};

class World {
public:
  /// `clocks`: of the agents' computers, by agent; none: they are exact.
  World(const Design& design, const Truth& truth, std::uint32_t functions, std::uint64_t seed,
        std::vector<NodeClock> clocks = {});

  Time now() const { return now_; }
  void run_until(Time until);
  /// Makes a request by a new client. Returns its place in asked().
  std::size_t ask(Peer sma, Request request);
  const std::deque<Asked>& asked() const { return asked_; }
  /// Stops the agent from now on for this time. `is_silent`: its computer is off, so that peers get no reset.
  void kill(Peer agent, Time duration, bool is_silent);
  bool is_alive(Peer agent) const { return processes_[index(agent)].agent != nullptr; }
  const Agent& agent(Peer peer) const { return *processes_[index(peer)].agent; }
  const Computers& computers() const { return computers_; }
  AgentCounts counts() const;
  std::uint64_t messages() const { return messages_; }
  std::uint64_t bytes() const { return bytes_; }

private:
  struct Arrived {
    Peer from;
    Parcel message; // null: the connection is gone
  };
  struct Process {
    std::unique_ptr<Agent> agent;
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
  void send(Peer from, Peer to, Parcel message);
  void deliver(Peer from, Peer to, const Parcel& message, std::uint32_t incarnation);
  void tell_gone(Peer whom, Peer who);
  /// Next action of an idle process.
  void go_on(Peer who);
  void carry_out(Peer who, const Outbox& out);
  void wake(Peer who);
  void to_client(Peer from, std::size_t client, const Parcel& message);
  std::uint32_t incarnation(Peer peer) const {
    return design_.tree.is_agent(peer) ? processes_[index(peer)].incarnation : 0;
  }

  NodeClock clock(Peer agent) const { return clocks_.empty() ? NodeClock() : clocks_[index(agent)]; }

  const Design& design_;
  Computers computers_;
  std::vector<NodeClock> clocks_;
  std::mt19937_64 random_;
  Time now_;
  std::priority_queue<Event> events_;
  std::uint64_t events_made_ = 0;
  std::vector<Process> processes_;
  std::map<Link, Time> last_;                                    ///< when the last message arrives
  std::map<Link, std::pair<std::uint32_t, std::uint32_t>> open_; ///< incarnations of lower and higher peer
  std::deque<Asked> asked_;
  std::uint64_t messages_ = 0;
  std::uint64_t bytes_ = 0;
};

} // namespace hypermon::scms::testing
