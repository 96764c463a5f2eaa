// SPDX-License-Identifier: BSD-3-Clause
// RMI, the interface of clients (sec. 2), for use in a daemon's body: calls that return with the answer, and calls that
// do not wait. It has one connection to the SMA to which the client is attached. A client is serial, like an agent.
#pragma once
#include "hw/machine/site.hpp"
#include "sw/monitors/scms/core/session.hpp"
#include "sw/monitors/scms/wiring.hpp"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::scms {

class Rmi {
public:
  /// `client`: from Wiring::add_client(), which has its place. `self` must run there.
  Rmi(Daemon& self, Wiring& wiring, Peer client, Peer sma, Time timeout);

  // --- calls that wait -----------------------------------------------------------------------------------------------
  std::vector<NodeId> live_nodes();
  Answer get(NodeSet nodes, ResourceVector resources, Mode mode);
  /// The answer is ok or failed for each node.
  Answer load(NodeSet nodes, PluginId plugin);
  Answer unload(NodeSet nodes, PluginId plugin);

  // --- calls that do not ---------------------------------------------------------------------------------------------
  /// Returns when the request has been sent. Its answer has the returned id.
  std::uint64_t submit(Request request);
  /// The next complete answer to any request; none if there is none by `until`.
  std::optional<Answer> next(Time until = Time::never());
  Answer wait(std::uint64_t id);
  std::size_t outstanding() const { return session_.outstanding(); }

  Daemon& daemon() { return self_; }

private:
  Daemon& self_;
  Wiring& wiring_;
  Peer client_;
  Session session_;
  std::deque<Answer> complete_;
};

} // namespace hypermon::scms
