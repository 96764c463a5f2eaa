// SPDX-License-Identifier: BSD-3-Clause
// An agent as its computer runs it: a state machine without a clock and without a network of its own. It is serial: its
// shell first lets work() pass as CPU time, then hands over one message or one date, then each Send's CPU time passes
// and it is streamed, in their order.
#pragma once
#include "sw/monitors/scms/core/design.hpp"
#include "sw/monitors/scms/core/surroundings.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace hypermon::scms {

/// What an agent has done. Of what it sends, its shell counts bytes and CPU.
struct AgentCounts {
  std::uint64_t values_read = 0;
  std::uint64_t values_filtered = 0;   ///< read, not pushed
  std::uint64_t rounds_skipped = 0;    ///< of its own readings or pulls: still busy with the one before
  std::uint64_t rounds_incomplete = 0; ///< pushed on without some children
  std::uint64_t requests = 0;          ///< from clients and other agents
  std::uint64_t cached_answers = 0;    ///< values served from the cache
  std::uint64_t asked_nodes = 0;       ///< nodes in the requests that it sent below or above
  std::uint64_t joined_nodes = 0;      ///< that it did not ask: another request for the same was under way
  std::uint64_t timeouts = 0;          ///< nodes answered missing because no answer came
  std::uint64_t late_answers = 0;      ///< that came after that
  std::optional<Time> first_skip;

  AgentCounts& operator+=(const AgentCounts& more);
};

class Agent {
public:
  Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent() = default;

  /// CPU time that passes before the agent acts on the message: handling it, and reading what it asks for.
  virtual Time work(const Message& message) const = 0;
  virtual void receive(Peer from, const Message& message, Time now, Outbox& out) = 0;
  /// Its queue was full when the peer's values came: nobody will see them.
  virtual void dropped(Peer /*from*/, const Push& /*push*/) {}
  /// The connection to `peer` is gone.
  virtual void gone(Peer peer, Time now, Outbox& out) = 0;
  /// When it wants to act by itself; never() if it does not.
  virtual Time due() const = 0;
  /// At due() or later; work() as above.
  virtual Time work() const = 0;
  virtual void act(Time now, Outbox& out) = 0;
  /// It begins anew after it died: joins its parent.
  virtual void restart(Time now, Outbox& out) = 0;
  virtual const AgentCounts& counts() const = 0;
  /// Live nodes below it, as it knows them.
  virtual std::size_t live() const = 0;
};

/// As it is at the run's begin: all agents have joined. `incarnation` > 0: call restart() first.
/// References must live longer.
std::unique_ptr<Agent> make_agent(const Design& design, Peer self, Surroundings& around, std::uint32_t incarnation = 0);

} // namespace hypermon::scms
