// SPDX-License-Identifier: BSD-3-Clause
// The graph of a network of packets: vertices, edges between them, and the route of a packet. Vertices are the
// stations, and whatever else passes packets on: switches, and computers that nobody uses.
#pragma once
#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hypermon::piosim {

/// One direction of an edge: twice the edge's number, plus 1 from its second end to its first.
using Port = std::uint32_t;
constexpr Port port(std::uint32_t edge, bool backward) { return 2 * edge + (backward ? 1U : 0U); }
constexpr std::uint32_t edge_of(Port port) { return port / 2; }

struct Vertex {
  std::string name;
  bool is_switch = false; ///< else a computer, which passes packets on through its memory
};

struct Edge {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  double mib_per_s = 0; ///< of each direction
  Time latency;
};

/// A time during which an edge begins to serve no packet, in either direction.
struct Outage {
  std::uint32_t edge = 0;
  Time from;
  Time until;
};

/// The route of a packet depends on its target alone, not on its source or on other packets. So the edges that lead to
/// one target form a tree, and packets to it never wait for each other in a circle.
class Routes {
public:
  virtual ~Routes() = default;
  /// Where a packet to station `target`, which is not `vertex`, leaves the vertex.
  virtual Port next(std::uint32_t vertex, std::uint32_t target) const = 0;
};

struct NetworkGraph {
  std::size_t stations = 0; ///< the first vertices, in their order
  /// Network interfaces of the first stations; the others have one each.
  std::vector<std::uint32_t> interfaces{};
  std::vector<Vertex> vertices{}; ///< each with a name of its own
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

/// Routes with the fewest edges. Where several edges of a vertex lead equally near to the target, the first of them is
/// taken, in the order of the graph's edges. The graph must not change afterwards; every station must reach each other.
std::shared_ptr<const Routes> shortest_routes(const NetworkGraph& graph);

/// The stations that station 0 does not reach.
std::vector<std::uint32_t> unreached(const NetworkGraph& graph);

/// packets.outages, like "node0/switch0:10-25 ...", times in milliseconds. Throws UserError.
std::vector<Outage> outages_of(std::string_view text, const NetworkGraph& graph);

} // namespace hypermon::piosim
