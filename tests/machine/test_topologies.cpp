// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/params.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"

#include "tests/catch.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Comm.hpp>
#include <simgrid/s4u/Host.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace hypermon;
using namespace hypermon::test;

namespace {

struct Shape {
  Topology topology;
  const char* dimensions;
  std::int64_t nodes;
  std::vector<std::pair<int, int>> peers; // by hop of node 0: node and number of links
  const char* places = "";
};

const std::vector<Shape> shapes{
    {Topology::torus, "5x3", 15, {{1, 1}, {2, 2}, {3, 2}, {4, 1}, {5, 1}, {10, 1}, {12, 3}}}, // the short way round
    {Topology::torus, "3x1", 3, {{1, 1}, {2, 1}}},
    {Topology::fat_tree,
     "3x2;1x2;1x1",
     6,
     {{1, 2}, {2, 2}, {3, 4}, {5, 4}}}, // up to the switch that both are below, and down
    {Topology::star, "", 5, {{1, 2}, {4, 2}}},
    {Topology::hypercube, "", 8, {{1, 1}, {6, 2}, {7, 3}}},
    {Topology::fat_tree, "3x2;1x2;1x1", 3, {{1, 2}, {2, 4}}, "4-5,0"}, // the last one alone below its switch
    {Topology::torus, "5x3", 3, {{1, 1}, {2, 3}}, "0-1,12"},
};

Spec spec_of(const Shape& shape, hypermon::Messages messages) {
  Spec spec = plain_machine(shape.nodes);
  auto& machine = spec.get<MachineParams>();
  machine.topology = shape.topology;
  machine.dimensions = shape.dimensions;
  machine.places = shape.places;
  machine.messages = messages;
  return spec_from_json(to_json(spec)); // checks it
}

/// Half a round trip of node 0 with each peer, in us.
std::vector<double> message_times(const Spec& spec, const Shape& shape, int bytes) {
  std::vector<double> times;
  NoMonitor monitor;
  run_program(spec, monitor, [&](int rank) {
    std::vector<char> data(static_cast<std::size_t>(bytes));
    for (const auto& [peer, links] : shape.peers) {
      MPI_Barrier(MPI_COMM_WORLD);
      if (rank == 0) hypermon_compute(1, 1e7);
      const double begin = now();
      if (rank == 0) {
        MPI_Send(data.data(), bytes, MPI_CHAR, peer, 1, MPI_COMM_WORLD);
        MPI_Recv(data.data(), bytes, MPI_CHAR, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        times.push_back((now() - begin) * 1e6 / 2);
      } else if (rank == peer) {
        MPI_Recv(data.data(), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data.data(), bytes, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
      }
    }
  });
  return times;
}

} // namespace

TEST_CASE("on every topology each further link of the way costs a message one hop") {
  for (const Shape& shape : shapes) {
    const Spec spec = spec_of(shape, hypermon::Messages::nx2);
    const auto child = in_child([&] { return message_times(spec, shape, 64); });
    REQUIRE(child.status == 0);
    for (std::size_t i = 0; i < shape.peers.size(); ++i) {
      const auto& n = spec.get<NetworkParams>();
      const double stated =
          n.short_base_us.number + 64 * n.short_us_per_byte + (shape.peers[i].second - 1) * n.short_hop_us.number;
      INFO(word(shape.topology) << ' ' << shape.dimensions << ", to node " << shape.peers[i].first);
      CHECK(std::abs(child.values.at(i) - stated) < stated * 0.001);
    }
  }
}

TEST_CASE("with SimGrid's messages the given pieces, the links and nothing else take time") {
  for (const Shape& shape : shapes) {
    Spec spec = spec_of(shape, hypermon::Messages::smpi);
    spec.get<SmpiParams>().send_cost = "0:0:0;100:7e-6:1e-9";
    spec.get<SmpiParams>().receive_cost = "0:0:0;100:5e-6:0";
    spec.get<SmpiParams>().latency_factor = "0:1;100:3";
    spec.get<SmpiParams>().bandwidth_factor = "0:1;100:0.5";
    constexpr int bytes = 10000;
    const auto child = in_child([&] { return message_times(spec, shape, bytes); });
    REQUIRE(child.status == 0);
    for (std::size_t i = 0; i < shape.peers.size(); ++i) {
      const double wire = (bytes + Machine::smpi_header_bytes) / (0.5 * spec.get<NetworkParams>().bandwidth_mb_per_s);
      const double stated =
          7 + bytes * 1e-3 + 5 + shape.peers[i].second * 3 * spec.get<NetworkParams>().short_hop_us.number + wire;
      INFO(word(shape.topology) << ' ' << shape.dimensions << ", to node " << shape.peers[i].first);
      CHECK(std::abs(child.values.at(i) - stated) < stated * 0.001);
    }
  }
}

TEST_CASE("a program that waits for ever is found, with ticks and without") {
  for (const bool recorded : {false, true}) {
    Spec spec = spec_of(shapes[3], hypermon::Messages::smpi);
    spec.get<NodeParams>().tick_ms = 50;
    const auto child = in_child([&] {
      NoMonitor none;
      RecordingMonitor records{Time{}};
      Monitor& monitor = recorded ? static_cast<Monitor&>(records) : none;
      run_program(spec, monitor, [](int rank) {
        char c = 0;
        if (rank == 1) MPI_Recv(&c, 1, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      });
      return std::vector<double>{};
    });
    CHECK(child.status == 3);
    CHECK(child.errors.find("the program deadlocked") != std::string::npos);
    CHECK(child.errors.find("rank 1 waits for") != std::string::npos);
  }
}

TEST_CASE("of more than 256 places an event's peer has 16 bits, and the length is at most 65535") {
  const auto described = [](std::int64_t nodes, int peer, std::int64_t bytes) {
    const Spec spec = plain_machine(nodes);
    const auto child = in_child([&] {
      NoMonitor monitor;
      std::vector<double> words;
      run_program(spec, monitor, [&](int rank) {
        Message message;
        message.bytes = bytes;
        if (rank == 0) words.push_back(protocol().describe(message, peer).peer_and_length);
      });
      return words;
    });
    REQUIRE(child.status == 0);
    return static_cast<std::uint32_t>(child.values.at(0));
  };
  CHECK(described(256, 255, 70000) == (255U << 24 | 70000U));
  CHECK(described(512, 511, 1000) == (511U << 16 | 1000U));
  CHECK(described(512, 511, 70000) == (511U << 16 | 65535U));
}

namespace {

struct Transfer {
  std::uint32_t from;
  std::uint32_t to;
  double begin_s;
  double bytes;
};

/// When each transfer ends, in s.
std::vector<double> ends_of(const Spec& spec, const std::vector<Transfer>& transfers) {
  TestEngine engine(spec);
  Machine machine(spec);
  std::vector<double> ends(transfers.size());
  for (std::size_t i = 0; i < transfers.size(); ++i)
    simgrid::s4u::Actor::init("sender", machine.node(NodeId{0}))->start([&, i] {
      const Transfer& t = transfers[i];
      simgrid::s4u::this_actor::sleep_until(t.begin_s);
      simgrid::s4u::Comm::sendto(machine.node(NodeId{t.from}), machine.node(NodeId{t.to}),
                                 static_cast<std::uint64_t>(t.bytes));
      ends[i] = now();
    });
  engine.run();
  return ends;
}

/// Square matrix over the transfers: 1 where the routes of two of them have a link in common, otherwise 0.
std::vector<double> common_links(const Spec& spec, const std::vector<Transfer>& transfers) {
  const TestEngine engine(spec);
  const Machine machine(spec);
  std::vector<std::vector<simgrid::s4u::Link*>> routes(transfers.size());
  for (std::size_t i = 0; i < transfers.size(); ++i)
    machine.node(NodeId{transfers[i].from})->route_to(machine.node(NodeId{transfers[i].to}), routes[i], nullptr);
  std::vector<double> common;
  for (const auto& a : routes)
    for (const auto& b : routes) common.push_back(std::ranges::find_first_of(a, b) != a.end() ? 1 : 0);
  return common;
}

std::vector<Transfer> random_transfers(std::mt19937& random, std::int64_t nodes) {
  std::uniform_int_distribution<std::uint32_t> node(0, static_cast<std::uint32_t>(nodes - 1));
  std::vector<Transfer> transfers;
  for (int i = 0; i < 40; ++i) {
    const std::uint32_t from = node(random);
    std::uint32_t to = node(random);
    while (to == from) to = node(random);
    const double begin_s = std::uniform_real_distribution(0.0, 0.5)(random);
    transfers.push_back({from, to, begin_s, std::floor(std::uniform_real_distribution(1.0, 200000.0)(random))});
  }
  return transfers;
}

} // namespace

TEST_CASE("an exclusive link carries one message at a time, and none waits while its route is free") {
  std::mt19937 random(7);
  constexpr double tolerance_s = 1e-8;
  int waited = 0;
  for (const Shape& shape : shapes) {
    Spec spec = spec_of(shape, hypermon::Messages::smpi);
    spec.get<MachineParams>().links = Links::exclusive;
    spec.get<SmpiParams>().latency_factor = spec.get<SmpiParams>().bandwidth_factor = "0:1";
    const std::vector<Transfer> transfers = random_transfers(random, shape.nodes);
    std::vector<Transfer> apart = transfers; // each alone
    for (std::size_t i = 0; i < apart.size(); ++i) apart[i].begin_s = 10 * static_cast<double>(i);
    const auto ends = in_child([&] { return ends_of(spec, transfers); });
    const auto alone = in_child([&] { return ends_of(spec, apart); });
    const auto common = in_child([&] { return common_links(spec, transfers); });
    REQUIRE((ends.status == 0 && alone.status == 0 && common.status == 0));
    const double bytes_per_s = spec.get<NetworkParams>().bandwidth_mb_per_s * 1e6;
    const std::size_t count = transfers.size();
    std::vector<double> ready(count);
    std::vector<double> start(count);
    for (std::size_t i = 0; i < count; ++i) {
      INFO(word(shape.topology) << ", transfer " << i);
      const double held_s = transfers[i].bytes / bytes_per_s;
      start[i] = ends.values[i] - held_s;
      ready[i] = transfers[i].begin_s + alone.values[i] - apart[i].begin_s - held_s;
      CHECK(start[i] > ready[i] - tolerance_s);
    }
    for (std::size_t i = 0; i < count; ++i) {
      INFO(word(shape.topology) << ", transfer " << i);
      double busy_until = ready[i]; // some link of the route is held from ready[i] until then
      for (bool grows = true; grows;) {
        grows = false;
        for (std::size_t j = 0; j < count; ++j) {
          if (i == j || common.values[i * count + j] == 0) continue;
          CHECK((ends.values[j] < start[i] + tolerance_s || ends.values[i] < start[j] + tolerance_s));
          grows |= start[j] < busy_until + tolerance_s && ends.values[j] > busy_until + tolerance_s;
          if (start[j] < busy_until + tolerance_s) busy_until = std::max(busy_until, ends.values[j]);
        }
      }
      CHECK(start[i] < busy_until + tolerance_s);
      waited += start[i] > ready[i] + tolerance_s ? 1 : 0;
    }
  }
  CHECK(waited > 50);
}
