// SPDX-License-Identifier: BSD-3-Clause
// Graphs of networks of packets: routes of each topology, networks from files, outages, and times by hand.
#include "base/user_error.hpp"
#include "hw/packets/core/graph_file.hpp"
#include "tests/catch.hpp"
#include "tests/piosim/world.hpp"

#include <bit>
#include <map>
#include <set>
#include <sstream>

using namespace hypermon;
using namespace hypermon::piosim;

namespace {

std::vector<StationAt> in_order(std::uint32_t count) {
  std::vector<StationAt> found;
  for (std::uint32_t s = 0; s < count; ++s) found.push_back({"node" + std::to_string(s), s, false});
  return found;
}

/// Vertices that a packet passes, both ends included.
std::vector<std::uint32_t> way(const NetworkGraph& graph, std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t> found{from};
  while (found.back() != to) {
    const Port out = graph.routes->next(found.back(), to);
    REQUIRE(graph.start_of(out) == found.back());
    found.push_back(graph.end_of(out));
    REQUIRE(found.size() <= graph.vertices.size());
  }
  return found;
}

/// When messages sent at 0 have arrived.
std::vector<Time> arrivals(World& world, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
                           std::int64_t bytes) {
  std::vector<Time> found(pairs.size());
  for (std::size_t m = 0; m < pairs.size(); ++m)
    world->send(Station{pairs[m].first}, Station{pairs[m].second}, bytes, {}, {},
                [&found, &world, m] { found[m] = world.now(); });
  world.run();
  return found;
}

/// Only edges take time, at 1 B/ns and without latency; packets have 1000 B.
PiosimParams only_edges() {
  PiosimParams params;
  params.packets.network = PacketModel::packets;
  params.packets.packet_bytes = 1000;
  params.packets.interface_mib_per_s = params.packets.internal_mib_per_s = params.packets.memory_mib_per_s =
      params.packets.switch_mib_per_s = 1e9;
  params.packets.internal_latency_us = params.packets.edge_latency_us = params.packets.uplink_latency_us = 0;
  params.packets.edge_mib_per_s = 1e9 / 1048576;
  return params;
}

NetworkGraph graph_of(const std::string& text, const std::vector<std::string>& stations = {"node0", "node1"}) {
  std::istringstream lines(text);
  return read_graph(lines, "net.txt", {}, stations);
}
std::string refusal(const std::string& text) {
  try {
    graph_of(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}
std::string outage_refused(const std::string& text) {
  try {
    outages_of(text, graph_of("node0 node1"));
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

} // namespace

TEST_CASE("a packet passes one edge of a hypercube for each bit in which the addresses differ, the lowest first") {
  const NetworkGraph graph = lattice_graph({}, {2, 2, 2, 2}, in_order(16));
  CHECK(graph.edges.size() == 16 * 4 / 2);
  for (std::uint32_t from = 0; from < 16; ++from)
    for (std::uint32_t to = 0; to < 16; ++to) {
      const auto passed = way(graph, from, to);
      CHECK(passed.size() - 1 == static_cast<std::size_t>(std::popcount(from ^ to)));
      for (std::size_t v = 2; v < passed.size(); ++v)
        CHECK((passed[v - 1] ^ passed[v]) > (passed[v - 2] ^ passed[v - 1]));
    }
}

TEST_CASE("a packet goes the short way round each ring of a torus") {
  const NetworkGraph graph = lattice_graph({}, {5, 3, 1}, in_order(15));
  CHECK(graph.edges.size() == 2 * 15);
  const auto around = [](std::uint32_t a, std::uint32_t b, std::uint32_t size) {
    const std::uint32_t up = (b + size - a) % size;
    return std::min(up, size - up);
  };
  for (std::uint32_t from = 0; from < 15; ++from)
    for (std::uint32_t to = 0; to < 15; ++to)
      CHECK(way(graph, from, to).size() - 1 == around(from % 5, to % 5, 5) + around(from / 5, to / 5, 3));
}

TEST_CASE(
    "a packet climbs a fat tree to the lowest switch above both ends, and targets share parents and cables evenly") {
  // 4 children of each lowest switch, 3 below each of the next level, 2 below each of the highest.
  const NetworkGraph graph = tree_graph({}, {{4, 3, 2}, {1, 2, 2}, {1, 2, 1}}, in_order(24));
  std::map<Port, std::set<std::uint32_t>> targets; // targets of each upward port of a switch
  for (std::uint32_t from = 0; from < 24; ++from)
    for (std::uint32_t to = 0; to < 24; ++to) {
      if (from == to) continue;
      const std::size_t level = from / 4 == to / 4 ? 1 : from / 12 == to / 12 ? 2 : 3;
      const auto passed = way(graph, from, to);
      CHECK(passed.size() - 1 == 2 * level);
      for (std::size_t v = 1; v < level; ++v) targets[graph.routes->next(passed[v], to)].insert(to);
    }
  for (const auto& [out, through] : targets) {
    CAPTURE(graph.vertices[graph.start_of(out)].name, graph.vertices[graph.end_of(out)].name);
    CHECK(graph.start_of(out) < graph.end_of(out));
    // A lowest switch has 20 other targets for 2 parents and 2 cables; the next one 12 for 2, half of them its own.
    const bool is_lowest = graph.vertices[graph.start_of(out)].name.starts_with("switch1_");
    CHECK(through.size() == (is_lowest ? 20 / 4 : 12 / 2 / 2));
  }
  CHECK(targets.size() == 6 * 4 + 4 * 2);
}

TEST_CASE("stations beyond the places have edges of their own") {
  auto stations = in_order(4);
  stations.push_back({"server0", 2, true});
  const NetworkGraph torus = lattice_graph({}, {4}, stations);
  CHECK(way(torus, 0, 4) == std::vector<std::uint32_t>{0, 1, 2, 4});
  CHECK(way(torus, 4, 3) == std::vector<std::uint32_t>{4, 2, 3});
  const NetworkGraph tree = tree_graph({}, {{2, 2}, {1, 1}, {1, 1}}, stations);
  CHECK(way(tree, 3, 4).size() == 3); // only through the lowest switch
  CHECK(way(tree, 0, 4).size() == 5);
}

TEST_CASE("two flows that share an edge of a torus take twice as long") {
  const PiosimParams params = only_edges();
  const NetworkGraph ring = lattice_graph(params.packets, {8}, in_order(8));
  // Messages from 0 and from 1 to 3 both pass the edges from 1 to 2 and from 2 to 3. 100 packets of 1 us each.
  World shared(params, ring, 8);
  const auto both = arrivals(shared, {{0, 3}, {1, 3}}, 100'000);
  World apart(params, ring, 8);
  const auto free = arrivals(apart, {{0, 3}, {7, 4}}, 100'000);
  CHECK(free[0] == Time::from_ns(100'000 + 2 * 1000)); // the last packet passes two edges more
  CHECK(free[1] == free[0]);
  CHECK(std::max(both[0], both[1]) >= Time::from_ns(2 * 100'000));
  CHECK(std::max(both[0], both[1]) <= Time::from_ns(2 * 100'000 + 3 * 1000));
}

TEST_CASE("ranks with an interface each share their computer's edge only") {
  constexpr std::int64_t bytes = 100'000; // 100 packets
  const auto last_arrival = [](double interface_bytes_per_ns, double edge_bytes_per_ns,
                               const std::vector<std::uint32_t>& interfaces,
                               const std::vector<std::pair<Endpoint, Endpoint>>& messages) {
    PiosimParams params = only_edges();
    params.packets.interface_mib_per_s = interface_bytes_per_ns * 1e9 / 1048576;
    params.packets.edge_mib_per_s = edge_bytes_per_ns * 1e9 / 1048576;
    NetworkGraph star = star_of(params, 3);
    star.interfaces = interfaces;
    World world(params, star, 3);
    Time last;
    for (const auto& [from, to] : messages)
      world->send(from, to, bytes, {}, {}, [&] { last = std::max(last, world.now()); });
    world.run();
    return last;
  };
  const auto ns = [](std::int64_t number) { return Time::from_ns(number); };
  const Station shared{0};
  const std::vector<std::uint32_t> one = {};
  const std::vector<std::uint32_t> two = {2};

  // Two ranks of computer 0 send to computers 1 and 2. A packet takes 1000 ns at an interface, 500 ns on an edge.
  const std::vector<std::pair<Endpoint, Endpoint>> away = {{{shared, 0}, Station{1}}, {{shared, 1}, Station{2}}};
  CHECK(last_arrival(1, 2, one, away) == ns(200 * 1000 + 2 * 500 + 1000));
  CHECK(last_arrival(1, 2, two, away) == ns(100 * 1000 + 500 + 2 * 500 + 1000)); // the other message's packet is first
  // 1000 ns on an edge as well: both wait for the edge to the switch, whatever interfaces they use.
  CHECK(last_arrival(1, 1, one, away) == ns(1000 + 200 * 1000 + 1000 + 1000));
  CHECK(last_arrival(1, 1, two, away) == ns(1000 + 200 * 1000 + 1000 + 1000));

  // Two ranks of computers 1 and 2 send to the two of computer 0.
  const std::vector<std::pair<Endpoint, Endpoint>> here = {{Station{1}, {shared, 0}}, {Station{2}, {shared, 1}}};
  CHECK(last_arrival(1, 2, one, here) == ns(1000 + 2 * 500 + 200 * 1000));
  CHECK(last_arrival(1, 2, two, here) == ns(1000 + 500 + 2 * 500 + 100 * 1000));

  // One rank of computer 0 sends to the other.
  const std::vector<std::pair<Endpoint, Endpoint>> inside = {{{shared, 0}, {shared, 1}}};
  CHECK(last_arrival(1, 2, one, inside) == ns(200 * 1000)); // each packet passes the interface twice
  CHECK(last_arrival(1, 2, two, inside) == ns(101 * 1000));
}

TEST_CASE("a computer's traffic grows packet by packet, and is what messages bring from other computers") {
  PiosimParams params = only_edges(); // 1000 ns a packet of 1000 B on an edge
  for (const PacketModel model : {PacketModel::packets, PacketModel::ideal}) {
    params.packets.network = model;
    NetworkGraph star = star_of(params, 3);
    star.interfaces = {2};
    World world(params, star, 3);
    const auto bytes = [&](std::uint32_t station) {
      const InterfaceTraffic traffic = world->traffic(Station{station});
      return std::vector<std::uint64_t>{traffic.bytes_sent, traffic.packets_sent, traffic.bytes_received,
                                        traffic.packets_received};
    };
    world->send(Station{0}, Station{1}, 100'000, {}, {}, {});
    world->send(Station{2}, {Station{0}, 1}, 1'500, {}, {}, {});
    world->send({Station{0}, 0}, {Station{0}, 1}, 5'000, {}, {}, {}); // within the computer
    if (model == PacketModel::packets) {
      world.at(Time::from_ns(50'500), [&] {
        const auto arrived = bytes(1);
        CHECK(arrived[2] == 1000 * arrived[3]);
        CHECK(arrived[3] >= 48); // 50 that the first edge has served, of which a few are under way
        CHECK(arrived[3] <= 50);
        const auto left = bytes(0);
        CHECK(left[0] == 1000 * left[1]);
        CHECK(left[1] >= 50);
        CHECK(left[1] <= 56); // flow control holds the others: each stage has its packet and one more on its way
      });
    }
    world.run();
    CHECK(bytes(0)[0] == 100'000);
    CHECK(bytes(0)[2] == 1'500);
    CHECK(bytes(1)[2] == 100'000);
    CHECK(bytes(2)[0] == 1'500);
    if (model == PacketModel::packets) {
      CHECK(bytes(0) == std::vector<std::uint64_t>{100'000, 100, 1'500, 2});
      CHECK(bytes(1) == std::vector<std::uint64_t>{0, 0, 100'000, 100});
    }
  }
}

TEST_CASE("a message waits for the end of an outage, a packet that is being served does not") {
  const PiosimParams params = only_edges();
  NetworkGraph ring = lattice_graph(params.packets, {4}, in_order(4));
  ring.outages = {{0, Time::from_ns(500), Time::from_ns(700'000)}, {0, Time::from_ns(700'000), Time::from_ns(900'000)}};
  World world(params, ring, 4);
  // Edge 0 joins 0 and 1; the way from 0 to 1 passes no other.
  CHECK(arrivals(world, {{0, 1}, {0, 1}}, 1000) == std::vector<Time>{Time::from_ns(1000), Time::from_ns(901'000)});
}

TEST_CASE("a network from a file has the file's edges, and the fewest of them between two stations") {
  const NetworkGraph graph = graph_of("# two switches\n"
                                      "node0 left   100 5\n"
                                      "node1 right\n\n"
                                      "left right   # an uplink\n"
                                      "left far 20\n"
                                      "far right\n");
  CHECK(graph.stations == 2);
  REQUIRE(graph.edges.size() == 5);
  CHECK(graph.edges[0].mib_per_s == 100);
  CHECK(graph.edges[0].latency == Time::from_ns(5000));
  CHECK(graph.edges[1].mib_per_s == PacketParams{}.edge_mib_per_s);
  CHECK(graph.edges[3].mib_per_s == 20);
  CHECK(!graph.vertices[1].is_switch);
  CHECK(graph.vertices[2].is_switch);
  std::vector<std::string> names;
  for (const std::uint32_t v : way(graph, 0, 1)) names.push_back(graph.vertices[v].name);
  CHECK(names == std::vector<std::string>{"node0", "left", "right", "node1"});
}

TEST_CASE("a file that describes no network is refused with its line") {
  const auto says = [](const std::string& text, const std::string& what) {
    INFO(refusal(text));
    CHECK(refusal(text).find(what) != std::string::npos);
  };
  says("node0 node1\nnode0\n", "must be two ends");
  says("node0 node1\nnode0\n", "(net.txt, line 2)");
  says("node0 node1 1 2 3\n", "must be two ends");
  says("node0 no/de1\n", "\"no/de1\" must be a name");
  says("node0 node0\n", "node0 is connected with itself");
  says("node0 node1\nnode1 node0\n", "the edge between node1 and node0 is there twice (net.txt, line 2)");
  says("node0 node1 fast\n", "\"fast\" must be a number of MiB/s");
  says("node0 node1 0\n", "\"0\" must be a number of MiB/s");
  says("node0 node1 nan\n", "\"nan\" must be a number of MiB/s");
  says("node0 node1 1 -1\n", "\"-1\" must be a number of us");
  says("node0 s\n", "must have an edge at each computer of the run; it has none at node1");
  says("", "it has none at node0");
  says("node0 a\nnode1 b\n", "it has no way from node0 to node1");
  says("node0 node1 " + std::string(2000, ' ') + "\n", "longer than 1000 characters");
}

TEST_CASE("outages that name no edge or no time are refused") {
  const auto says = [](const std::string& text, const std::string& what) {
    INFO(outage_refused(text));
    CHECK(outage_refused(text).find("packets.outages = \"" + text + "\": ") == 0);
    CHECK(outage_refused(text).find(what) != std::string::npos);
  };
  says("node0", "must be words like");
  says("node0/node1", "must be words like");
  says("node0/node1:5", "must be words like");
  says("node0/node1:5-5", "the earlier one first");
  says("node0/node1:a-5", "two times in milliseconds");
  says("node0/node7:1-5", "the network has no such edge");
  CHECK(outages_of("node1/node0:1-5  node0/node1:7-8.5", graph_of("node0 node1")).size() == 2);
}
