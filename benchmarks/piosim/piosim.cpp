// SPDX-License-Identifier: BSD-3-Clause
// Many clients write much to many servers: what the host takes for every packet on every edge. See run.
#include "hw/machine/machine.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/packets/packet_graph.hpp"
#include "hw/packets/piosim_run.hpp"
#include "tests/machine/engine.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Semaphore.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <sys/resource.h>

using namespace hypermon;

namespace {

namespace sg4 = simgrid::s4u;

struct Load {
  std::int64_t clients;
  std::int64_t bytes; ///< bytes of each client
  std::int64_t call;  ///< bytes of each call
};

FileRequest write_of(const Load& load, FileId file, std::int64_t client, std::int64_t done) {
  FileRequest request;
  request.node = static_cast<std::uint32_t>(client);
  request.file = file;
  request.regions = {{client * load.bytes + done, load.call}};
  return request;
}

/// Chains of calls, without a simulation kernel: the platform alone.
double run_core(const Spec& spec, const Load& load) {
  Time now;
  const IoObservers nobody;
  piosim::Piosim platform(
      {spec.get<PacketParams>(), spec.get<PfsParams>(), spec.get<PfsCacheParams>(), spec.get<PfsDiskParams>(),
       spec.get<PioCpuParams>()},
      packet_graph(spec, static_cast<std::size_t>(load.clients)), static_cast<std::size_t>(load.clients), nobody,
      [&] { return now; }, [] {});
  const FileId file = platform.file("file");
  Time end;
  const std::function<void(std::int64_t, std::int64_t)> go_on = [&](std::int64_t client, std::int64_t done) {
    end = now;
    if (done == load.bytes) return;
    platform.submit(write_of(load, file, client, done),
                    [&, client, done](FileAnswer) { go_on(client, done + load.call); });
  };
  for (std::int64_t c = 0; c < load.clients; ++c) go_on(c, 0);
  while (platform.next() != Time::never()) platform.advance(now = platform.next());
  return end.seconds();
}

/// Actors that wait for their calls, as ranks do.
double run_with_simgrid(const Spec& spec, const Load& load) {
  test::TestEngine engine(spec);
  Machine machine(spec);
  const IoObservers nobody;
  const auto platform = make_piosim(spec, static_cast<std::size_t>(load.clients), nobody);
  const FileId file = platform->files()->file("file");
  double end = 0;
  for (std::int64_t c = 0; c < load.clients; ++c)
    sg4::Actor::init("client", machine.node(NodeId{static_cast<std::uint32_t>(c)}))->start([&, c] {
      for (std::int64_t done = 0; done < load.bytes; done += load.call) {
        const auto returned = sg4::Semaphore::create(0);
        platform->files()->submit(write_of(load, file, c, done), [&](FileAnswer) { returned->release(); });
        returned->acquire();
      }
      end = sg4::Engine::get_clock();
    });
  engine.run();
  return end;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  Load load{};
  Spec spec;
  spec.nodes = load.clients = std::atoll(argv[1]);
  spec.get<MachineParams>().topology = Topology::star;
  spec.get<MachineParams>().messages = hypermon::Messages::smpi;
  spec.get<PacketParams>().network = PacketModel::packets;
  spec.get<PfsParams>().servers = std::atoll(argv[2]);
  load.bytes = std::atoll(argv[3]) * (1LL << 30) / load.clients;
  load.call = std::atoll(argv[4]) << 20;
  const bool alone = std::atoi(argv[5]) == 0;
  const auto begin = std::chrono::steady_clock::now();
  const double simulated = alone ? run_core(spec, load) : run_with_simgrid(spec, load);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%s %s %s %s %s %.3f %.2f %.2f %ld\n", argv[1], argv[2], argv[3], argv[4], argv[5], simulated,
              took.count(),
              static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6,
              usage.ru_maxrss / 1024);
}
