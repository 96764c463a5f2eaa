// SPDX-License-Identifier: BSD-3-Clause
// The platform's networks by name. Network 0 carries the program's messages, over the machine's topology. The others
// (section `lan`) share no link with it and have an interface at each node, at the host and at the computers beside the
// machine.
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

/// Traffic of an interface from daemons and file servers. Bytes are counted while a transfer is under way. A packet
/// counts as sent when its last byte has left, and as received when that byte has arrived, whether or not the port is
/// open.
struct InterfaceCounts {
  std::uint64_t sent_bytes = 0;
  std::uint64_t sent_packets = 0;
  std::uint64_t received_bytes = 0;
  std::uint64_t received_packets = 0;
};

class Networks {
public:
  /// Uses the networks that Machine's constructor built.
  Networks(const Spec& spec, Machine& machine);
  ~Networks();
  Networks(const Networks&) = delete;
  Networks& operator=(const Networks&) = delete;

  std::size_t count() const;
  const std::string& name(NetworkId network) const;
  /// The network of that name. Throws UserError with `path`, the parameter that names it, and the list of networks.
  NetworkId named(const std::string& name, const std::string& path) const;
  /// The computers, and the networks that reach them.
  const Places& places() const;
  /// SimGrid's host for the place's processes.
  simgrid::s4u::Host* host(const Place& place) const;

  // --- from an actor -------------------------------------------------------------------------------------------------
  /// Moves `bytes` over the links between the two places, which SimGrid shares among all transfers, and returns when
  /// the last byte has arrived. Takes no time within a place.
  void carry_and_land(NetworkId network, const Place& from, const Place& to, std::int64_t bytes);
  /// Like carry(), but returns when the last byte has left. `content` arrives at port `to` one time of flight later
  /// (the links' latency), or at once on network 0, where a circuit is held until then. It is lost if the port is not
  /// open.
  void send(NetworkId network, const Address& from, const Address& to, std::int64_t bytes, std::any content = {});
  /// Puts `content` into the port at once, within a place. Returns false if the port is not open.
  bool hand_over(const Address& to, std::any content);
  /// Sends a message over the TCP connection between the two ports (tcp.hpp) and opens port `from`. Returns when the
  /// socket's buffer has room for the last byte.
  void stream(NetworkId network, const Address& from, const Address& to, const std::vector<std::int64_t>& writes,
              std::any content = {});
  /// Opens the port, which then keeps data in the order of arrival, and data that arrive at the same time in the order
  /// of sending. Opening a port twice has no effect.
  void open(const Address& at);
  /// Closes the port. Its waiting data and its connections are lost.
  void close(const Address& at, Closed how = Closed::resets);
  /// The next datagram at the port; none if there is none by `until`, inclusive. Opens the port. Only one actor at a
  /// time may wait at a port.
  std::optional<Datagram> receive(const Address& at, Time until = Time::never());

  // --- from maestro --------------------------------------------------------------------------------------------------
  /// As carry_and_land(), without waiting: `arrived` is called in maestro when the last byte has arrived.
  void start(NetworkId network, const Place& from, const Place& to, std::int64_t bytes, std::function<void()> arrived);

  // --- counters ------------------------------------------------------------------------------------------------------
  /// Traffic of the place's interface to the network so far.
  InterfaceCounts interface(NetworkId network, const Place& place) const;
  /// Sum over all interfaces to the network, without transfers under way.
  InterfaceCounts carried(NetworkId network) const;
  /// Number of datagrams that arrived at ports that were not open.
  std::uint64_t lost() const;

  /// Sets the receiver of a node's kernel work, which competes with whatever runs there.
  void on_kernel_work(std::function<void(NodeId, Time)> work);

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace hypermon
