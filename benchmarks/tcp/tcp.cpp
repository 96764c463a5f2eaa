// SPDX-License-Identifier: BSD-3-Clause
// Many small messages over connections: what the host takes for them. See run.
#include "hw/machine/machine_params.hpp"
#include "hw/machine/networks.hpp"
#include "hw/machine/params.hpp"
#include "hw/machine/tcp_params.hpp"
#include "tests/machine/engine.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <sys/resource.h>

using namespace hypermon;

namespace {

constexpr std::int64_t nodes = 4096;
Address port(std::int64_t node) { return {Place::node(NodeId{static_cast<std::uint32_t>(node)}), 1}; }

/// Each node sends `bytes` each second, either all nodes at once or one after the other, to one of `receivers`.
void start(Networks& networks, int seconds, std::int64_t bytes, std::int64_t receivers, bool at_once,
           std::uint64_t& received) {
  namespace sg4 = simgrid::s4u;
  for (std::int64_t n = 0; n < nodes; ++n)
    sg4::Actor::init("sender", networks.host(port(n).place))->start([=, &networks] {
      const double phase = at_once ? 0.0 : static_cast<double>(n) / nodes;
      for (int second = 0; second < seconds; ++second) {
        sg4::this_actor::sleep_until(second + phase);
        networks.stream(NetworkId{}, port(n), {port(n % receivers).place, 2}, {bytes});
      }
    });
  for (std::int64_t r = 0; r < receivers; ++r) {
    auto receiver = sg4::Actor::init("receiver", networks.host(port(r).place));
    receiver->daemonize();
    receiver->start([=, &networks, &received] {
      while (networks.receive({port(r).place, 2})) ++received;
    });
  }
  sg4::Actor::init("end", networks.host(port(0).place))->start([=] { sg4::this_actor::sleep_until(seconds + 5.0); });
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  Spec spec;
  spec.nodes = nodes;
  spec.get<MachineParams>().topology = Topology::star;
  spec.get<MachineParams>().messages = hypermon::Messages::smpi;
  spec.get<NetworkParams>().bandwidth_mb_per_s = 12.5;
  spec.get<NetworkParams>().short_hop_us = 30;
  const int seconds = std::atoi(argv[1]);
  const std::int64_t bytes = std::atoll(argv[2]);
  test::TestEngine engine(spec);
  Machine machine(spec);
  Networks networks(spec, machine);
  std::uint64_t received = 0;
  start(networks, seconds, bytes, std::atoll(argv[3]), std::atoi(argv[4]) != 0, received);
  const auto begin = std::chrono::steady_clock::now();
  engine.run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%d %lld %s %s %llu %.2f %.2f %ld\n", seconds, static_cast<long long>(bytes), argv[3], argv[4],
              static_cast<unsigned long long>(received), took.count(),
              static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6,
              usage.ru_maxrss / 1024);
  return received == static_cast<std::uint64_t>(nodes) * static_cast<std::uint64_t>(seconds) ? 0 : 1;
}
