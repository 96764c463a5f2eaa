// SPDX-License-Identifier: BSD-3-Clause
// The network of packets against one that steps through time: random messages, sizes, rates, trees of switches.
//
//   HYPERMON_TEST_CASES  cases to compare, instead of those of a CI run
//   HYPERMON_TEST_SEED   another seed than the fixed one
#include "tests/catch.hpp"
#include "tests/piosim/naive_network.hpp"
#include "tests/piosim/world.hpp"
#include "tests/random.hpp"
#include "tests/volume.hpp"

#include <sstream>

using namespace hypermon;
using namespace hypermon::piosim;
using namespace hypermon::testing;

namespace {

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

std::string network_differs(std::uint64_t seed) {
  Random r(seed);
  const int stations = static_cast<int>(r.between(1, 5));
  PiosimParams params;
  params.packets = random_network(r, stations);
  std::vector<NaiveNetwork::Message> expected;
  const bool at_once = r.one_in(3);
  for (std::int64_t m = r.between(1, 12); m > 0; --m)
    expected.push_back({at_once ? 0 : r.between(0, 2000), static_cast<int>(r.below(stations)),
                        static_cast<int>(r.below(stations)), r.pick({0, 1, 20, 50, 51, 149, 400})});
  std::vector<NaiveNetwork::Message> found = expected;

  World world(params, static_cast<std::size_t>(stations));
  for (auto& message : found)
    world.at(Time::from_ns(message.when), [&world, &message] {
      world->send(
          Station{static_cast<std::uint32_t>(message.from)}, Station{static_cast<std::uint32_t>(message.to)},
          message.bytes, {}, [&] { message.left = world.now().ps() / 1000; },
          [&] { message.arrived = world.now().ps() / 1000; });
    });
  world.run();
  NaiveNetwork(params.packets, stations).run(expected);

  std::ostringstream wrong;
  for (std::size_t m = 0; m < found.size(); ++m)
    if (found[m].left != expected[m].left || found[m].arrived != expected[m].arrived)
      wrong << "seed " << seed << ": message " << m << " of " << found[m].bytes << " B from " << found[m].from << " to "
            << found[m].to << " left at " << found[m].left << " ns and arrived at " << found[m].arrived
            << ", the naive one's at " << expected[m].left << " and " << expected[m].arrived << "\n";
  return wrong.str();
}

} // namespace

TEST_CASE("messages leave and arrive when a network that steps through time says") {
  const std::uint64_t first = from_environment("HYPERMON_TEST_SEED", 1);
  const std::uint64_t cases = cases_wanted(150);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) REQUIRE(network_differs(seed) == "");
}
