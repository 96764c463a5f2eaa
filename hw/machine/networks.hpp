// SPDX-License-Identifier: BSD-3-Clause
// The platform's networks by name. Network 0 is the one that carries the program's messages, as the machine's topology
// has it; the others (section `lan`) stand beside it, with an interface at each node, at the host and at the computers
// beside the machine, and share no link with it.
#pragma once
#include "hw/machine/computers.hpp"
#include "hw/machine/machine.hpp"
#include "hw/machine/site.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hypermon {

/// Traffic of an interface for daemons and file servers. Bytes count while a transfer is under way; a packet counts as
/// sent when its last byte has left, and as received when that has arrived, whether or not somebody has opened the
/// port.
struct InterfaceCounts {
  std::uint64_t sent_bytes = 0;
  std::uint64_t sent_packets = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t received_packets = 0;
};

class Networks {
public:
  /// Finds what the machine was built with (Machine's constructor builds the networks).
  Networks(const Spec& spec, Machine& machine);
  ~Networks();
  Networks(const Networks&) = delete;
  Networks& operator=(const Networks&) = delete;

  std::size_t count() const;
  const std::string& name(NetworkId network) const;
  /// By name. Throws UserError with `path`, the parameter that names it, and what networks there are.
  NetworkId named(const std::string& name, const std::string& path) const;
  /// Which computers there are, and which are on which network.
  const Places& places() const;
  /// Where SimGrid runs the place's processes.
  simgrid::s4u::Host* host(const Place& place) const;

  // --- from an actor -------------------------------------------------------------------------------------------------
  /// Moves `bytes` over the links between the two, which SimGrid shares among all transfers, and returns when the last
  /// byte has arrived. Within a place it takes no time.
  void carry_and_land(NetworkId network, const Place& from, const Place& to, std::int64_t bytes);
  /// The same, but returns when the last byte has left. `content` is at the port `to` one time of flight later: the
  /// links' latency; on network 0 at once, as a circuit is held until then. It is lost if nobody has opened the port.
  void send(NetworkId network, const Address& from, const Address& to, std::int64_t bytes, std::any content = {});
  /// `content` is at the port at once: within a place. False: nobody has opened it.
  bool hand_over(const Address& to, std::any content);
  /// A message over the TCP connection between the two ports (tcp.hpp), the first of which it opens. Returns when the
  /// socket's buffer has room for its last byte.
  void stream(NetworkId network, const Address& from, const Address& to, const std::vector<std::int64_t>& writes,
              std::any content = {});
  /// From now on what arrives there is kept, in the order of its arrival; of what arrives at one date in the order in
  /// which it was sent. Opening twice does nothing.
  void open(const Address& at);
  /// What waits there is lost, and so are its connections.
  void close(const Address& at, Closed how = Closed::resets);
  /// The next datagram that arrives there, or has; none if none is there by `until`, inclusive. Opens the port. One
  /// actor at a time waits at a port.
  std::optional<Datagram> receive(const Address& at, Time until = Time::never());

  // --- from maestro --------------------------------------------------------------------------------------------------
  /// As carry_and_land(), and nobody waits: `arrived` is called in maestro when the last byte has arrived.
  void start(NetworkId network, const Place& from, const Place& to, std::int64_t bytes, std::function<void()> arrived);

  // --- counters ------------------------------------------------------------------------------------------------------
  /// Of the place's interface to the network, by now.
  InterfaceCounts interface(NetworkId network, const Place& place) const;
  /// Of all interfaces to it, together, without what is under way.
  InterfaceCounts carried(NetworkId network) const;
  /// Datagrams that arrived where nobody had opened a port.
  std::uint64_t lost() const;

  /// Who has a node's kernel work, beside whatever runs there.
  void on_kernel_work(std::function<void(NodeId, Time)> work);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace hypermon
