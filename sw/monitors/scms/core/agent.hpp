// SPDX-License-Identifier: BSD-3-Clause
// An agent as a state machine without network. It is serial: its runner first spends work() as CPU time, then passes
// one message to the agent or lets it act once, and then for each Send in order spends its CPU time and sends it. Times
// are true times; its timers follow the clock of its computer.
#pragma once
#include "hw/machine/node_clock.hpp"
#include "sw/monitors/scms/core/design.hpp"
#include "sw/monitors/scms/core/surroundings.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace hypermon::scms {

/// Counts of an agent's work. Its runner counts bytes and CPU time of the messages sent.
struct AgentCounts {
  std::uint64_t values_read = 0;
  std::uint64_t values_filtered = 0;   ///< read, not pushed
  std::uint64_t rounds_skipped = 0;    ///< own readings or pulls skipped, still busy with the previous one
  std::uint64_t rounds_incomplete = 0; ///< rounds pushed on without some children
  std::uint64_t requests = 0;          ///< requests from clients and other agents
  std::uint64_t cached_answers = 0;    ///< values served from the cache
  std::uint64_t asked_nodes = 0;       ///< nodes in the requests that it sent down or up
  std::uint64_t joined_nodes = 0;      ///< nodes not requested again, because a request for the same data was under way
  std::uint64_t timeouts = 0;          ///< nodes answered as missing after a timeout
  std::uint64_t late_answers = 0;      ///< answers after the timeout
  std::optional<Time> first_skip;

  AgentCounts& operator+=(const AgentCounts& more);
};

class Agent {
public:
  Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent() = default;

  /// CPU time before the agent acts on the message: for handling it, and for reading the requested values.
  virtual Time work(const Message& message) const = 0;
  virtual void receive(Peer from, const Message& message, Time now, Outbox& out) = 0;
  /// The peer's values were dropped because the agent's queue was full.
  virtual void dropped(Peer /*from*/, const Push& /*push*/) {}
  /// The connection to `peer` is broken.
  virtual void gone(Peer peer, Time now, Outbox& out) = 0;
  /// Next time at which it acts without a message; never() if there is none.
  virtual Time due() const = 0;
  /// CPU time before act() at due() or later.
  virtual Time work() const = 0;
  virtual void act(Time now, Outbox& out) = 0;
  /// It restarts after its death and joins its parent.
  virtual void restart(Time now, Outbox& out) = 0;
  virtual const AgentCounts& counts() const = 0;
  /// Number of live nodes below it that it knows of.
  virtual std::size_t live() const = 0;
};

/// An agent in the state at the run's begin, when all agents have joined. If `incarnation` > 0, call restart() first.
/// `clock`: of its computer.
///
/// References must outlive the agent.
std::unique_ptr<Agent> make_agent(const Design& design, Peer self, Surroundings& around, const NodeClock& clock,
                                  std::uint32_t incarnation = 0);

} // namespace hypermon::scms
