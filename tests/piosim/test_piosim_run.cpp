// SPDX-License-Identifier: BSD-3-Clause
// The platform with SimGrid's clock: the same dates as alone.
#include "hw/machine/machine.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/packets/piosim_run.hpp"
#include "tests/catch.hpp"
#include "tests/machine/engine.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/piosim/world.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Semaphore.hpp>

using namespace hypermon;
using namespace hypermon::piosim;
using namespace hypermon::test;

namespace {

namespace sg4 = simgrid::s4u;

constexpr std::uint32_t clients = 3;
constexpr int calls = 20;

FileRequest request_of(std::uint32_t client, int call, FileId file) {
  FileRequest request;
  request.kind = call % 3 == 2 ? FileRequest::Kind::read : FileRequest::Kind::write;
  request.node = client;
  request.file = file;
  request.regions = {{call * 30'000 * (client + 1), 1 + 70'000 * (call % 4)}};
  return request;
}
/// Between two calls it computes.
Time pause(std::uint32_t client, int call) { return Time::from_ns(1234 * (client + 1) + 100'000 * (call % 5)); }

std::vector<double> with_simgrid(const Spec& spec) {
  TestEngine engine(spec);
  Machine machine(spec);
  const IoObservers nobody;
  const auto platform = make_piosim(spec, clients, nobody);
  const FileId file = platform->files()->file("file");
  std::vector<double> returns(clients * calls);
  for (std::uint32_t c = 0; c < clients; ++c)
    sg4::Actor::init("client", machine.node(NodeId{c}))->start([&, c] {
      for (int call = 0; call < calls; ++call) {
        sg4::this_actor::sleep_for(pause(c, call).seconds());
        const auto returned = sg4::Semaphore::create(0);
        platform->files()->submit(request_of(c, call, file), [&](FileAnswer) { returned->release(); });
        returned->acquire();
        returns[c * calls + static_cast<std::size_t>(call)] = sg4::Engine::get_clock();
      }
    });
  engine.run();
  returns.push_back(platform->under_way() ? 1 : 0);
  Json result;
  Results results(result);
  platform->report(results);
  returns.push_back(result["piosim"]["servers"][1]["disk_operations"].get<double>());
  return returns;
}

std::vector<double> alone(const PiosimParams& params) {
  World world(params, clients);
  const FileId file = world->file("file");
  std::vector<double> returns(clients * calls);
  std::function<void(std::uint32_t, int)> go_on = [&](std::uint32_t c, int call) {
    if (call == calls) return;
    world.at(world.now() + pause(c, call), [&, c, call] {
      world->submit(request_of(c, call, file), [&, c, call](FileAnswer) {
        returns[c * calls + static_cast<std::size_t>(call)] = world.now().seconds();
        go_on(c, call + 1);
      });
    });
  };
  for (std::uint32_t c = 0; c < clients; ++c) go_on(c, 0);
  world.run();
  returns.push_back(0);
  returns.push_back(static_cast<double>(world->file_clients().servers()[1].cache().disk().operations));
  return returns;
}

} // namespace

TEST_CASE("with SimGrid's clock calls return when they do without") {
  Spec spec;
  spec.nodes = clients;
  spec.get<MachineParams>().topology = Topology::star;
  spec.get<MachineParams>().messages = hypermon::Messages::smpi;
  PiosimParams params = paper();
  params.pfs.servers = 2;
  spec.get<PacketParams>() = params.packets;
  spec.get<PfsParams>() = params.pfs;
  const auto child = in_child([&] { return with_simgrid(spec); });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  const std::vector<double> expected = alone(params);
  REQUIRE(child.values.size() == expected.size());
  for (std::size_t v = 0; v < expected.size(); ++v) {
    CAPTURE(v);
    CHECK(child.values[v] == Approx(expected[v]).margin(1e-11));
  }
}
