// SPDX-License-Identifier: BSD-3-Clause
// RMI, the interface of clients (sec. 2): calls that return when the answer is there, for a daemon's body, and calls
// that do not wait. One connection to the SMA that the client is attached to; a client is serial, as an agent is.
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
  /// `client`: of Wiring::add_client(), which also knows where it runs. `self` runs there.
  Rmi(Daemon& self, Wiring& wiring, Peer client, Peer sma, Time timeout);

  // --- calls that wait -----------------------------------------------------------------------------------------------
  std::vector<NodeId> live_nodes();
  Answer get(NodeSet nodes, ResourceVector resources, Mode mode);
  /// ok or failed of each node.
  Answer load(NodeSet nodes, PluginId plugin);
  Answer unload(NodeSet nodes, PluginId plugin);

  // --- calls that do not ---------------------------------------------------------------------------------------------
  /// Returns when the request has been sent; its answer has the id.
  std::uint64_t submit(Request request);
  /// The next answer that is complete, of any request; none if none is by `until`.
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
