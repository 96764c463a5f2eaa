// SPDX-License-Identifier: BSD-3-Clause
#include "base/json.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/params.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"

#include "tests/catch.hpp"

#include <cmath>

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
