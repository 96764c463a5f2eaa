// SPDX-License-Identifier: BSD-3-Clause
// Moves messages between stations: a packet network (packet_fabric.hpp), or an ideal network that takes no time.
#pragma once
#include "base/time.hpp"
#include "hw/packets/core/events.hpp"
#include "hw/packets/core/graph.hpp"
#include "hw/packets/core/io_observers.hpp"
#include "hw/packets/core/params.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hypermon::piosim {

/// Sender or receiver of messages, which are identified by the tag that it chose.
class MessageUser {
public:
  /// The sender's interface begins to serve a packet of the message.
  virtual void part_left(std::uint64_t /*tag*/, std::int64_t /*bytes*/) {}
  /// The sender's interface begins to serve the message's last packet: the message is complete for the sender.
  virtual void left(std::uint64_t /*tag*/) {}
  /// The receiver's interface has served a packet of the message.
  virtual void part_arrived(std::uint64_t /*tag*/, std::int64_t /*bytes*/) {}
  /// The receiver's interface has served the message's last packet.
  virtual void arrived(std::uint64_t tag) = 0;

protected:
  ~MessageUser() = default;
};

struct NetworkCounts {
  std::uint64_t messages = 0;
  std::uint64_t packets = 0;
  std::int64_t bytes = 0;
  Time interface_busy;             ///< busy time of the busiest interface
  Time edge_busy;                  ///< busy time of the busiest direction of an edge at a computer
  Time uplink_busy;                ///< busy time of the busiest direction of an edge between two switches
  Time switch_busy;                ///< busy time of the busiest switch
  std::uint64_t edges_passed = 0;  ///< number of edges that all packets together passed
  std::uint64_t longest_queue = 0; ///< most packets that waited at one stage
};

struct EdgeCounts {
  std::string first; ///< one end of the edge
  std::string second;
  bool is_uplink = false;    ///< between two switches
  std::uint64_t packets = 0; ///< packets that it began to serve, in both directions together
  Time busy;                 ///< busy time of the busier direction
};

class Network {
public:
  virtual ~Network() = default;
  /// Sends from now on; returns the message's number, which is valid until it has arrived. `available`: number of bytes
  /// that can be sent already; append() adds the others.
  virtual std::uint32_t send(Endpoint from, Endpoint to, std::int64_t bytes, std::int64_t available, MessageUser& user,
                             std::uint64_t tag) = 0;
  virtual void append(std::uint32_t message, std::int64_t bytes) = 0;
  /// Makes packets to the station's first interface wait there until go().
  virtual void stop(Station station) = 0;
  virtual void go(Station station) = 0;
  virtual NetworkCounts counts() const = 0;
  virtual InterfaceTraffic traffic(Station station) const = 0;
  /// Edges in the order of the graph; none for an ideal network.
  virtual std::vector<EdgeCounts> edges() const = 0;
};

std::unique_ptr<Network> make_network(const PacketParams& params, NetworkGraph graph, Events& events,
                                      const IoObservers& observers);

} // namespace hypermon::piosim
