// SPDX-License-Identifier: BSD-3-Clause
// File servers: requests over a network, a queue, a disk.
#include "hw/machine/lan_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/server_place.hpp"
#include "hw/machine/servers.hpp"
#include "tests/machine/actors.hpp"

#include "tests/catch.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <cmath>

using namespace hypermon;
using namespace hypermon::test;

namespace {

constexpr double few_ps = 5; // a few dates that SimGrid computes in doubles

/// Eight nodes on a LAN of 10 MB/s and 50 us; a server beside the machine, whose disk has 2 MB/s, seeks in 10 ms and
/// turns in 8 ms.
Spec with_server() {
  Spec spec = plain_machine(8);
  spec.get<MachineParams>().beside = 1;
  auto& lan = spec.get<LanSection>();
  lan.count = 1;
  lan.bandwidth_mb_per_s = 10;
  lan.latency_us = 50;
  auto& server = spec.get<ServerSection>();
  server.count = 1;
  server.network = "ethernet";
  server.place = Place::Kind::beside;
  server.request_us = 30;
  server.request_bytes = 100;
  server.reply_bytes = 50;
  auto& disk = spec.get<DiskSection>();
  disk.mb_per_s = 2;
  disk.seek_ms = 10;
  disk.turns_per_min = 7500;
  return spec;
}

constexpr ServerId files{0};
Place place_of(std::uint32_t n) { return Place::node(NodeId{n}); }
double wire_ps(double bytes) { return bytes / 10 * 1e6 + 50e6; }
double disk_ps(double bytes) { return bytes / 2 * 1e6; }
constexpr double positioning_ps = 14e9; // an average seek and half a turn

} // namespace

TEST_CASE("a write takes request and data, the server's look, the disk, the acknowledgement, a second one no seek") {
  const auto t = run_actors(with_server(), 2, {[](Networks&, Servers& s, std::vector<double>& v) {
                              s.write(files, place_of(0), "a", 20000);
                              v[0] = now() * 1e12;
                              s.write(files, place_of(0), "a", 20000);
                              v[1] = now() * 1e12 - v[0];
                            }});
  const double each = wire_ps(20100) + 30e6 + disk_ps(20000) + wire_ps(50);
  CHECK(std::abs(t[0] - each - positioning_ps) <= few_ps);
  CHECK(std::abs(t[1] - each) <= few_ps); // the second write continues at the end of the first
}

TEST_CASE("a read brings what is in the file, from where the place's last one ended") {
  const auto t = run_actors(with_server(), 5, {[](Networks&, Servers& s, std::vector<double>& v) {
                              s.write(files, place_of(0), "a", 20000);
                              const double begin = now() * 1e12;
                              v[0] = static_cast<double>(s.read(files, place_of(1), "a", 15000));
                              v[1] = now() * 1e12 - begin;
                              v[2] = static_cast<double>(s.read(files, place_of(1), "a", 15000));
                              v[3] = static_cast<double>(s.read(files, place_of(1), "a", 15000));
                              s.rewind(files, place_of(1), "a");
                              v[4] = static_cast<double>(s.read(files, place_of(1), "a", 15000));
                            }});
  CHECK(t[0] == 15000);
  // the arm goes back 20 000 bytes: from track to track
  const double read = wire_ps(100) + 30e6 + 1e9 + 4e9 + disk_ps(15000) + wire_ps(15050);
  CHECK(std::abs(t[1] - read) <= few_ps);
  CHECK(t[2] == 5000);
  CHECK(t[3] == 0);
  CHECK(t[4] == 15000);
}

TEST_CASE("requests of two nodes wait for one disk, in the order of their arrival") {
  const auto write = [](std::uint32_t n, double after) {
    return [=](Networks&, Servers& s, std::vector<double>& v) {
      simgrid::s4u::this_actor::sleep_until(after);
      s.write(files, place_of(n), "file" + std::to_string(n), 20000);
      v[n] = now() * 1e12;
      v[2] = static_cast<double>(s.counts(files).longest_queue);
    };
  };
  const auto t = run_actors(with_server(), 3, {write(0, 0), write(1, 5e-3)}); // the first one's data take 2 ms
  const double first = wire_ps(20100) + 30e6 + positioning_ps + disk_ps(20000);
  CHECK(std::abs(t[0] - first - wire_ps(50)) <= few_ps);
  CHECK(std::abs(t[1] - first - positioning_ps - disk_ps(20000) - wire_ps(50)) <= few_ps);
  CHECK(t[2] == 2);
}

TEST_CASE("a disk that is full ends the run by its server's name") {
  Spec spec = with_server();
  spec.get<DiskSection>().capacity_mb = 64; // one extent
  const auto child = in_child([&] {
    return run_actors_here(spec, 1, {[](Networks&, Servers& s, std::vector<double>&) {
                             s.write(files, place_of(0), "a", 64000000);
                             s.write(files, place_of(0), "a", 1);
                           }});
  });
  CHECK(child.status == 3);
  CHECK(child.errors.find("the disk of file server files is full at ") != std::string::npos);
}
