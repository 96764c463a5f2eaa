// SPDX-License-Identifier: BSD-3-Clause
// The graph of a packet network: vertices, edges, and the routes of packets. Vertices are the stations and all other
// forwarders of packets: switches, and computers that are not used.
#pragma once
#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::piosim {

/// One direction of an edge: twice the edge's number, plus 1 for the direction from its second end to its first.
using Port = std::uint32_t;
constexpr Port port(std::uint32_t edge, bool backward) { return 2 * edge + (backward ? 1U : 0U); }
constexpr std::uint32_t edge_of(Port port) { return port / 2; }

struct Vertex {
  std::string name;
  bool is_switch = false; ///< false: a computer, which forwards packets through its memory
};

struct Edge {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double mib_per_s = 0; ///< rate of each direction
  Time latency;
};

/// An interval during which an edge starts no packet in either direction.
struct Outage {
  std::uint32_t edge = 0;
  Time from;
  Time until;
};

/// A packet's route depends only on its target, not on its source or on other packets. So the edges towards one target
/// form a tree, and packets to it never wait for each other in a cycle.
class Routes {
public:
  virtual ~Routes() = default;
  /// Port through which a packet to station `target` leaves `vertex`, which is another vertex.
  virtual Port next(std::uint32_t vertex, std::uint32_t target) const = 0;
};

struct NetworkGraph {
  std::size_t stations = 0; ///< the first vertices, in order
  /// Numbers of network interfaces of the first stations; the others have one each.
  std::vector<std::uint32_t> interfaces{};
  std::vector<Vertex> vertices{}; ///< with different names
  std::vector<Edge> edges{};
  std::vector<Outage> outages{};
  std::shared_ptr<const Routes> routes{};

  std::uint32_t add(std::string name, bool is_switch);
  std::uint32_t connect(std::uint32_t first, std::uint32_t second, double mib_per_s, Time latency);
  std::uint32_t start_of(Port port) const {
    return port % 2 == 0 ? edges[edge_of(port)].first : edges[edge_of(port)].second;
  }
  std::uint32_t end_of(Port port) const {
    return port % 2 == 0 ? edges[edge_of(port)].second : edges[edge_of(port)].first;
  }
};

/// Routes with the fewest edges. Among several edges of a vertex that lead equally near to the target, the first in the
/// order of the graph's edges is used. The graph must not change afterwards, and all stations must be connected.
std::shared_ptr<const Routes> shortest_routes(const NetworkGraph& graph);

/// The stations that are not connected with station 0.
std::vector<std::uint32_t> unreached(const NetworkGraph& graph);

/// Parses packets.outages, such as "node0/switch0:10-25 ...", with times in milliseconds. Throws UserError.
std::vector<Outage> outages_of(std::string_view text, const NetworkGraph& graph);

} // namespace hypermon::piosim
