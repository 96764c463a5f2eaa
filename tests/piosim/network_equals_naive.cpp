// SPDX-License-Identifier: BSD-3-Clause
// The network of packets against one that steps through time: random messages, sizes, rates, graphs, interfaces,
// outages.
//
//   HYPERMON_TEST_CASES  cases to compare, instead of those of a CI run
//   HYPERMON_TEST_SEED   another seed than the fixed one
#include "tests/catch.hpp"
#include "tests/piosim/naive_network.hpp"
#include "tests/piosim/world.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

using namespace hypermon;
using namespace hypermon::piosim;
using namespace hypermon::testing;

namespace {

constexpr int ranks = 3; // largest number of ranks of a computer

/// Stages of some ns a byte, packets of some bytes.
PacketParams random_network(Random& r, int stations) {
  const auto rate = [&] { return 1e9 / 1048576 / static_cast<double>(r.between(1, 20)) * 7; };
  const auto latency_us = [&] { return static_cast<double>(r.pick({0, 0, 3, 40, 200})) * 1e-3; };
  PacketParams p;
  p.network = PacketModel::packets;
  p.packet_bytes = r.pick({1, 20, 50});
  p.interface_mib_per_s = rate();
  p.internal_mib_per_s = rate();
  p.internal_latency_us = latency_us();
  p.memory_mib_per_s = rate();
  p.edge_mib_per_s = rate();
  p.edge_latency_us = latency_us();
  p.switch_mib_per_s = rate();
  p.fan_out = r.pick({0, 1, 2, stations});
  p.uplink_mib_per_s = rate();
  p.uplink_latency_us = latency_us();
  p.flow_control = r.pick({FlowControl::target, FlowControl::target, FlowControl::pair, FlowControl::none});
  return p;
}

/// A network, and the route of each pair of stations by a method of the test's own.
struct Case {
  NetworkGraph graph;
  NaiveNetwork::Route route;
};

Port port_between(const NetworkGraph& graph, std::uint32_t from, std::uint32_t to) {
  for (Port p = 0; p < 2 * graph.edges.size(); ++p)
    if (graph.start_of(p) == from && graph.end_of(p) == to) return p;
  throw std::logic_error("there is no edge");
}
/// Along these vertices.
std::vector<Port> along(const NetworkGraph& graph, const std::vector<std::uint32_t>& vertices) {
  std::vector<Port> found;
  for (std::size_t v = 1; v < vertices.size(); ++v) found.push_back(port_between(graph, vertices[v - 1], vertices[v]));
  return found;
}
std::vector<std::string> names_of(int stations) {
  std::vector<std::string> names;
  for (int s = 0; s < stations; ++s) names.push_back("node" + std::to_string(s));
  return names;
}

/// Stations, then the switches below the root, then the root.
Case star_case(const PacketParams& p, int stations) {
  Case found{star_graph(p, names_of(stations)), {}};
  const int fan_out = p.fan_out == 0 || p.fan_out >= stations ? stations : static_cast<int>(p.fan_out);
  found.route = [graph = found.graph, stations, fan_out](int from, int to) -> std::vector<Port> {
    if (from == to) return {};
    const auto leaf = [&](int station) { return static_cast<std::uint32_t>(stations + station / fan_out); };
    const auto root = static_cast<std::uint32_t>(graph.vertices.size() - 1);
    const auto first = static_cast<std::uint32_t>(from);
    const auto last = static_cast<std::uint32_t>(to);
    if (leaf(from) == leaf(to)) return along(graph, {first, leaf(from), last});
    return along(graph, {first, leaf(from), root, leaf(to), last});
  };
  return found;
}

/// Two or three dimensions. Either all places are used in a random order, or some have unused computers.
Case lattice_case(Random& r, const PacketParams& p, int stations) {
  std::vector<unsigned> sizes;
  unsigned places = 1;
  while (places < static_cast<unsigned>(stations) || sizes.size() < 2)
    places *= sizes.emplace_back(static_cast<unsigned>(r.between(1, 5)));
  std::vector<StationAt> at;
  std::vector<int> taken(places, -1);
  for (int s = 0; s < stations; ++s) {
    const auto place = static_cast<unsigned>(r.below(places));
    at.push_back({"node" + std::to_string(s), place, taken[place] >= 0});
    if (taken[place] < 0) taken[place] = s;
  }
  Case found{lattice_graph(p, sizes, at), {}};
  auto next_free = static_cast<std::uint32_t>(stations);
  std::vector<std::uint32_t> vertex;
  for (const int station : taken) vertex.push_back(station >= 0 ? static_cast<std::uint32_t>(station) : next_free++);
  found.route = [graph = found.graph, sizes, at, vertex](int from, int to) -> std::vector<Port> {
    if (from == to) return {};
    const StationAt& first = at[static_cast<std::size_t>(from)];
    const StationAt& last = at[static_cast<std::size_t>(to)];
    std::vector<std::uint32_t> way;
    if (first.is_extra) way.push_back(static_cast<std::uint32_t>(from));
    unsigned here = first.place;
    way.push_back(vertex[here]);
    unsigned stride = 1;
    for (const unsigned size : sizes) {
      const auto coordinate = [&](unsigned place) { return static_cast<int>(place / stride % size); };
      const int n = static_cast<int>(size);
      const int up = (coordinate(last.place) - coordinate(here) + n) % n;
      // Equally far: upward, but from the middle to 0 downward.
      const bool goes_up = 2 * up < n || (2 * up == n && coordinate(last.place) != 0);
      for (int left = goes_up ? up : n - up; up != 0 && left > 0; --left) {
        const int c = (coordinate(here) + (goes_up ? 1 : n - 1)) % n;
        here = here - static_cast<unsigned>(coordinate(here)) * stride + static_cast<unsigned>(c) * stride;
        way.push_back(vertex[here]);
      }
      stride *= size;
    }
    if (last.is_extra) way.push_back(static_cast<std::uint32_t>(to));
    return along(graph, way);
  };
  return found;
}

/// Computers and switches in any connected graph, edges of random rates and latencies.
Case any_case(Random& r, const PacketParams& p, int stations) {
  Case found;
  NetworkGraph& graph = found.graph;
  const auto vertices = static_cast<std::uint32_t>(stations + r.between(0, 4));
  graph.stations = static_cast<std::size_t>(stations);
  for (std::uint32_t v = 0; v < vertices; ++v) graph.add("v" + std::to_string(v), v >= graph.stations && r.one_in(2));
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    for (const Edge& e : graph.edges)
      if (std::minmax(e.first, e.second) == std::minmax(a, b)) return;
    graph.connect(a, b, r.pick({p.edge_mib_per_s, p.uplink_mib_per_s}),
                  Time::from_ns(static_cast<std::int64_t>(r.pick({0, 7, 90}))));
  };
  for (std::uint32_t v = 1; v < vertices; ++v) add(v, static_cast<std::uint32_t>(r.below(v)));
  for (std::int64_t extra = r.between(0, 6); vertices > 1 && extra > 0; --extra) {
    const auto a = static_cast<std::uint32_t>(r.below(vertices));
    const auto b = static_cast<std::uint32_t>(r.below(vertices));
    if (a != b) add(a, b);
  }
  graph.routes = shortest_routes(graph);
  // Distances as in the definition: relaxed until nothing changes.
  const auto all = static_cast<std::size_t>(vertices);
  std::vector<std::vector<int>> far(all, std::vector<int>(all, 1000));
  for (std::size_t v = 0; v < all; ++v) far[v][v] = 0;
  for (std::size_t round = 0; round < all; ++round)
    for (const Edge& e : graph.edges)
      for (std::size_t t = 0; t < all; ++t) {
        far[e.first][t] = std::min(far[e.first][t], far[e.second][t] + 1);
        far[e.second][t] = std::min(far[e.second][t], far[e.first][t] + 1);
      }
  found.route = [graph, far](int from, int to) {
    std::vector<Port> way;
    for (auto here = static_cast<std::uint32_t>(from); here != static_cast<std::uint32_t>(to);)
      for (Port out = 0; out < 2 * graph.edges.size(); ++out)
        if (graph.start_of(out) == here &&
            far[graph.end_of(out)][static_cast<std::size_t>(to)] < far[here][static_cast<std::size_t>(to)]) {
          way.push_back(out);
          here = graph.end_of(out);
          break;
        }
    return way;
  };
  return found;
}

Case random_case(Random& r, const PacketParams& p, int stations) {
  Case found = r.one_in(3)   ? star_case(p, stations)
               : r.one_in(2) ? lattice_case(r, p, stations)
                             : any_case(r, p, stations);
  for (std::int64_t o = r.between(0, 3); !found.graph.edges.empty() && o > 0; --o) {
    const std::int64_t from = r.pick({0, 100, 700, 1500});
    found.graph.outages.push_back({static_cast<std::uint32_t>(r.below(found.graph.edges.size())), Time::from_ns(from),
                                   Time::from_ns(from + r.pick({1, 600, 800}))});
  }
  if (r.one_in(2))
    for (std::int64_t computers = r.between(1, stations); computers > 0; --computers)
      found.graph.interfaces.push_back(static_cast<std::uint32_t>(r.between(1, ranks)));
  return found;
}

std::string network_differs(std::uint64_t seed) {
  Random r(seed);
  const int stations = static_cast<int>(r.between(1, 5));
  PiosimParams params;
  params.packets = random_network(r, stations);
  const Case network = random_case(r, params.packets, stations);
  std::vector<NaiveNetwork::Message> expected;
  const bool at_once = r.one_in(3);
  const auto rank_of = [&](int computer) {
    const auto number = static_cast<std::size_t>(computer);
    const bool has_one = number >= network.graph.interfaces.size() || network.graph.interfaces[number] == 1;
    return static_cast<int>(r.below(has_one ? ranks : network.graph.interfaces[number]));
  };
  for (std::int64_t m = r.between(1, 12); m > 0; --m) {
    const auto from = static_cast<int>(r.below(stations));
    const auto to = static_cast<int>(r.below(stations));
    expected.push_back(
        {at_once ? 0 : r.between(0, 2000), from, to, rank_of(from), rank_of(to), r.pick({0, 1, 20, 50, 51, 149, 400})});
  }
  std::vector<NaiveNetwork::Message> found = expected;

  World world(params, network.graph, static_cast<std::size_t>(stations));
  for (auto& message : found)
    world.at(Time::from_ns(message.when), [&world, &message] {
      world->send(
          {Station{static_cast<std::uint32_t>(message.from)}, static_cast<std::uint32_t>(message.from_rank)},
          {Station{static_cast<std::uint32_t>(message.to)}, static_cast<std::uint32_t>(message.to_rank)}, message.bytes,
          {}, [&] { message.left = world.now().ps() / 1000; }, [&] { message.arrived = world.now().ps() / 1000; });
    });
  world.run();
  NaiveNetwork(params.packets, network.graph, network.route).run(expected);

  std::ostringstream wrong;
  for (std::size_t m = 0; m < found.size(); ++m)
    if (found[m].left != expected[m].left || found[m].arrived != expected[m].arrived)
      wrong << "seed " << seed << ": message " << m << " of " << found[m].bytes << " B from " << found[m].from
            << " rank " << found[m].from_rank << " to " << found[m].to << " rank " << found[m].to_rank << " left at "
            << found[m].left << " ns and arrived at " << found[m].arrived << ", the naive one's at " << expected[m].left
            << " and " << expected[m].arrived << "\n";
  return wrong.str();
}

} // namespace

TEST_CASE("messages leave and arrive when a network that steps through time says") {
  const std::uint64_t first = from_environment("HYPERMON_TEST_SEED", 1);
  const std::uint64_t cases = cases_wanted(150);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) REQUIRE(network_differs(seed) == "");
}
