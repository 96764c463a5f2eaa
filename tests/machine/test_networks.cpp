// SPDX-License-Identifier: BSD-3-Clause
// Networks beside the program's, and what monitors send over any of them.
#include "hw/cosim/simgrid_compat.hpp"
#include "hw/machine/lan_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/networks.hpp"
#include "tests/machine/actors.hpp"

#include "tests/catch.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <cmath>
#include <random>

using namespace hypermon;
using namespace hypermon::test;

namespace {

constexpr double tolerance_ps = 2; // some dates are computed by SimGrid in doubles

/// Eight nodes and a LAN of 10 MB/s and 50 us, 5 us for each further switch.
Spec with_lan() {
  Spec spec = plain_machine(8);
  auto& lan = spec.get<LanSection>();
  lan.count = 1;
  lan.bandwidth_mb_per_s = 10;
  lan.latency_us = 50;
  lan.switch_us = 5;
  return spec;
}

constexpr NetworkId of_programs{0};
constexpr NetworkId lan{1};
Place node(std::uint32_t n) { return Place::node(NodeId{n}); }
constexpr Place host{Place::Kind::host, 0};
double ps_of(std::int64_t bytes, double mb_per_s) { return static_cast<double>(bytes) / mb_per_s * 1e6; }
double now_ps() { return now() * 1e12; }

} // namespace

TEST_CASE("a datagram takes its bytes over the cable, then the time of flight") {
  const auto t = run_actors(with_lan(), 4,
                            {[](Networks& n, Servers&, std::vector<double>& v) {
                               n.send(lan, {node(0), 1}, {node(5), 7}, 100000, 42);
                               v[0] = now_ps();
                             },
                             [](Networks& n, Servers&, std::vector<double>& v) {
                               const auto got = n.receive({node(5), 7});
                               v[1] = now_ps();
                               v[2] = std::any_cast<int>(got->content);
                               v[3] = static_cast<double>(got->sent.ps());
                             }});
  CHECK(std::abs(t[0] - ps_of(100000, 10)) <= tolerance_ps);
  CHECK(std::abs(t[1] - t[0] - 50e6) <= tolerance_ps);
  CHECK(t[2] == 42);
  CHECK(t[3] == 0);
}

TEST_CASE("two flows into one interface have half of it each, and two between four computers all of theirs") {
  const auto both = [](std::uint32_t second_to) {
    return run_actors(with_lan(), 2,
                      {[](Networks& n, Servers&, std::vector<double>& v) {
                         n.send(lan, {node(0), 1}, {node(5), 7}, 100000);
                         v[0] = now_ps();
                       },
                       [second_to](Networks& n, Servers&, std::vector<double>& v) {
                         n.send(lan, {node(1), 1}, {node(second_to), 7}, 50000);
                         v[1] = now_ps();
                       }});
  };
  const auto shared = both(5);
  CHECK(std::abs(shared[1] - ps_of(2 * 50000, 10)) <= tolerance_ps);
  CHECK(std::abs(shared[0] - ps_of(150000, 10)) <= tolerance_ps);
  const auto apart = both(6);
  CHECK(std::abs(apart[1] - ps_of(50000, 10)) <= tolerance_ps);
  CHECK(std::abs(apart[0] - ps_of(100000, 10)) <= tolerance_ps);
}

TEST_CASE("a trunk and a backplane that are slower than the cables are shared by all transfers that pass them") {
  Spec tree = with_lan();
  tree.get<LanSection>().fan_out = 4; // nodes 0 to 3, 4 to 7, the host: three switches below one
  tree.get<LanSection>().trunk_mb_per_s = 10;
  const std::vector<Body> two{[](Networks& n, Servers&, std::vector<double>& v) {
                                n.carry_and_land(lan, node(0), node(4), 100000);
                                v[0] = now_ps();
                              },
                              [](Networks& n, Servers&, std::vector<double>& v) {
                                n.carry_and_land(lan, node(1), node(5), 100000);
                                v[1] = now_ps();
                              }};
  for (const double t : run_actors(tree, 2, two)) CHECK(std::abs(t - ps_of(200000, 10) - 60e6) <= tolerance_ps);
  tree.get<LanSection>().trunk_mb_per_s = 0; // the trunk is as fast as the four cables
  for (const double t : run_actors(tree, 2, two)) CHECK(std::abs(t - ps_of(100000, 10) - 60e6) <= tolerance_ps);
  Spec slow = with_lan();
  slow.get<LanSection>().backplane_mb_per_s = 5;
  for (const double t : run_actors(slow, 2, two)) CHECK(std::abs(t - ps_of(200000, 5) - 50e6) <= tolerance_ps);
}

TEST_CASE("every further switch on the way takes its time, and the cables are the same") {
  Spec spec = with_lan();
  spec.get<LanSection>().fan_out = 2; // 9 computers: levels of 2, 4, 8, 16
  const auto t = run_actors(spec, 4, {[](Networks& n, Servers&, std::vector<double>& v) {
                              std::size_t i = 0;
                              for (const Place to : {node(1), node(2), node(4), host}) {
                                const double begin = now_ps();
                                n.carry_and_land(lan, node(0), to, 100000);
                                v[i++] = now_ps() - begin;
                              }
                            }});
  for (std::size_t level = 0; level < 4; ++level)
    CHECK(std::abs(t[level] - ps_of(100000, 10) - 50e6 - 2 * 5e6 * static_cast<double>(level)) <= tolerance_ps);
}

TEST_CASE("a port gives what arrived in the order of arrival, and what nobody opened it for is lost") {
  const auto t = run_actors(with_lan(), 6,
                            {[](Networks& n, Servers&, std::vector<double>& v) {
                               n.open({node(5), 7});
                               n.send(lan, {node(0), 1}, {node(5), 7}, 100000, 1);
                               n.send(lan, {node(0), 1}, {node(5), 8}, 10, 3); // nobody's port
                               v[5] = static_cast<double>(n.lost());           // not yet there
                             },
                             [](Networks& n, Servers&, std::vector<double>&) {
                               n.send(lan, {node(1), 1}, {node(5), 7}, 10, 2);
                             },
                             [](Networks& n, Servers&, std::vector<double>& v) {
                               simgrid::s4u::this_actor::sleep_for(1);
                               for (std::size_t i = 0; i < 2; ++i)
                                 v[i] = std::any_cast<int>(n.receive({node(5), 7}, Time{})->content);
                               const double begin = now_ps();
                               v[2] = n.receive({node(5), 7}, Time::from_seconds_rounded(now()) + 3_us) ? 1 : 0;
                               v[3] = now_ps() - begin;
                               v[4] = static_cast<double>(n.lost());
                             }});
  CHECK(t[0] == 2);
  CHECK(t[1] == 1);
  CHECK(t[2] == 0);
  CHECK(std::abs(t[3] - 3e6) <= 100); // a second's ulp is a fifth of a picosecond
  CHECK(t[4] == 1);
  CHECK(t[5] == 0);
}

TEST_CASE("datagrams that arrive at the same time are delivered in the order of their sends") {
  const auto send_from = [](std::uint32_t from) {
    return [from](Networks& n, Servers&, std::vector<double>&) {
      n.send(lan, {node(from), 1}, {node(5), 7}, 10, static_cast<int>(from));
    };
  };
  const auto t = run_actors(with_lan(), 4,
                            {[](Networks& n, Servers&, std::vector<double>& v) {
                               n.open({node(5), 7});
                               simgrid::s4u::this_actor::sleep_for(1);
                               for (double& from : v)
                                 from = std::any_cast<int>(n.receive({node(5), 7}, Time{})->content);
                             },
                             send_from(3), send_from(1), send_from(4), send_from(2)});
  CHECK(t == std::vector<double>{3, 1, 4, 2});
}

TEST_CASE("what arrives at the very date until which somebody waits is still received") {
  const auto t = run_actors(with_lan(), 2,
                            {[](Networks& n, Servers&, std::vector<double>&) {
                               n.send(lan, {node(0), 1}, {node(5), 7}, 1000);
                             },
                             [](Networks& n, Servers&, std::vector<double>& v) {
                               v[0] = n.receive({node(5), 7}, 150_us) ? 1 : 0;
                             },
                             [](Networks& n, Servers&, std::vector<double>& v) {
                               v[1] = n.receive({node(5), 8}, 150_us - 1_ps) ? 1 : 0;
                             }});
  CHECK(t[0] == 1);
  CHECK(t[1] == 0);
}

TEST_CASE("interfaces count what left and what arrived") {
  const auto t = run_actors(with_lan(), 4, {[](Networks& n, Servers&, std::vector<double>& v) {
                              n.carry_and_land(lan, node(0), node(5), 700);
                              n.carry_and_land(lan, node(0), host, 30);
                              n.carry_and_land(of_programs, node(0), node(5), 9000);
                              v = {static_cast<double>(n.interface(lan, node(0)).sent_bytes),
                                   static_cast<double>(n.interface(lan, node(0)).sent_packets),
                                   static_cast<double>(n.interface(lan, node(5)).received_bytes),
                                   static_cast<double>(n.interface(of_programs, node(5)).received_bytes)};
                            }});
  CHECK(t == std::vector<double>{730, 2, 700, 9000});
}

TEST_CASE("an interface's bytes grow with the transfers, at the rates that these have") {
  const auto bytes = [](const Networks& n, std::uint32_t number, bool sent) {
    const InterfaceCounts counts = n.interface(lan, node(number));
    return static_cast<double>(sent ? counts.sent_bytes : counts.received_bytes);
  };
  const auto t =
      run_actors(with_lan(), 12,
                 {[](Networks& n, Servers&, std::vector<double>&) { n.carry_and_land(lan, node(0), node(5), 100000); },
                  [](Networks& n, Servers&, std::vector<double>&) {
                    n.send(lan, {node(1), 1}, {node(5), 7}, 50000);
                  },
                  [](Networks& n, Servers&, std::vector<double>&) {
                    simgrid_compat::in_maestro([&n] { n.start(lan, node(2), node(6), 50000, [] {}); });
                  },
                  [&](Networks& n, Servers&, std::vector<double>& v) {
                    std::size_t i = 0;
                    for (const double ms : {5., 12., 15.01, 20.}) {
                      simgrid::s4u::this_actor::sleep_until(ms * 1e-3);
                      v[i++] = bytes(n, 0, true);
                      v[i++] = bytes(n, 5, false);
                      v[i++] = bytes(n, 2, true) + bytes(n, 6, false);
                    }
                  }});
  // Nodes 0 and 1 have 5 MB/s each until 10 ms; then node 0 has 10 MB/s, until 15 ms. A byte flies for 50 us.
  const std::vector<double> expected{
      25000,
      2 * 5000 * 4.95, //
      50000 + 49500,   // 10 MB/s between nodes 2 and 6, until 5 ms
      70000,
      50000 + 70000 * 11.95 / 12, // at the mean rate of the transfer
      100000,
      100000,
      50000 + 100000 * (15.01 - .05) / 15,
      100000,
      100000,
      150000,
      100000,
  };
  for (std::size_t i = 0; i < t.size(); ++i) {
    INFO(i);
    CHECK(std::abs(t[i] - expected[i]) <= 2); // whole bytes of each transfer
  }
}

TEST_CASE("an interface's bytes grow on the program's network, and while a connection sends") {
  for (const bool is_lan : {false, true}) {
    const NetworkId network = is_lan ? lan : of_programs;
    const auto t = run_actors(with_lan(), 200,
                              {[=](Networks& n, Servers&, std::vector<double>&) {
                                 if (is_lan)
                                   n.stream(network, {node(0), 7}, {node(5), 7}, {100000});
                                 else
                                   n.carry_and_land(network, node(0), node(5), 100000);
                               },
                               [=](Networks& n, Servers&, std::vector<double>&) {
                                 if (is_lan) n.receive({node(5), 7});
                               },
                               [=](Networks& n, Servers&, std::vector<double>& v) {
                                 for (std::size_t i = 0; i < v.size(); i += 2) {
                                   simgrid::s4u::this_actor::sleep_for(1e-3);
                                   v[i] = static_cast<double>(n.interface(network, node(0)).sent_bytes);
                                   v[i + 1] = static_cast<double>(n.interface(network, node(5)).received_bytes);
                                 }
                               }});
    const double all = is_lan ? 100000 + 69 * 78 : 100000;
    CHECK(t[t.size() - 2] == all);
    CHECK(t[t.size() - 1] == all);
    std::size_t under_way = 0;
    for (std::size_t i = 2; i < t.size(); ++i) {
      const double grown = t[i] - t[i - 2];
      CHECK(grown >= 0);
      CHECK(grown <= 10001); // at most the bytes of 1 ms
      if (t[i - 2] > 0 && t[i] < all) {
        ++under_way;
        CHECK(grown > 1000);
      }
    }
    CHECK(under_way > 15);
  }
}

TEST_CASE("datagrams on the program's network share its links, and change no message that they do not meet") {
  const auto ends = [](std::uint32_t from, std::uint32_t to, bool sends) {
    return in_child([=] {
             NoMonitor monitor;
             Spec spec = plain_machine(8);
             std::unique_ptr<Networks> networks;
             const auto ranks = run_program(
                 spec, monitor,
                 [&](int rank) {
                   std::vector<char> data(100000);
                   if (rank == 0) MPI_Send(data.data(), 100000, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
                   if (rank == 1) MPI_Recv(data.data(), 100000, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                 },
                 [&](Machine& machine) {
                   networks = std::make_unique<Networks>(spec, machine);
                   if (!sends) return;
                   simgrid::s4u::Actor::init("monitor", machine.node(NodeId{7}))->start([&] {
                     // as large as the message with its header, so that no size tells them apart
                     networks->carry_and_land(NetworkId{}, Place::node(NodeId{from}), Place::node(NodeId{to}), 100016);
                   });
                 });
             return std::vector<double>{static_cast<double>(end_of(ranks).ps())};
           })
        .values;
  };
  const auto alone = ends(0, 1, false);
  REQUIRE(alone.size() == 1);
  CHECK(ends(6, 7, true) == alone);
  CHECK(ends(1, 0, true) == alone); // the other direction
  const auto met = ends(0, 1, true);
  REQUIRE(met.size() == 1);
  CHECK(met[0] > alone[0]);
}

TEST_CASE("a LAN that nobody uses changes no time of a program, whoever carries its messages") {
  for (const auto messages : {hypermon::Messages::nx2, hypermon::Messages::smpi}) {
    const auto ends = [&](std::int64_t lans) {
      return in_child([&] {
               NoMonitor monitor;
               Spec spec = plain_machine(8);
               spec.get<MachineParams>().topology = Topology::star;
               spec.get<MachineParams>().messages = messages;
               spec.get<LanSection>().count = lans;
               std::vector<double> times;
               const auto ranks = run_program(spec, monitor, [](int rank) {
                 for (int bytes = 1; bytes < 300000; bytes = 3 * bytes + 1) {
                   std::vector<char> out(8 * static_cast<std::size_t>(bytes));
                   std::vector<char> in(out.size());
                   MPI_Alltoall(out.data(), bytes, MPI_CHAR, in.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
                   if (rank == 0) MPI_Send(out.data(), bytes, MPI_CHAR, 5, 1, MPI_COMM_WORLD);
                   if (rank == 5) MPI_Recv(in.data(), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                 }
               });
               for (const RankResult& rank : ranks) times.push_back(static_cast<double>(rank.end.ps()));
               return times;
             })
          .values;
    };
    const auto without = ends(0);
    REQUIRE(without.size() == 8);
    CHECK(ends(1) == without);
  }
}

namespace {

struct Flow {
  std::uint32_t from;
  std::uint32_t to;
  std::int64_t bytes;
  double start; // s
  double left;  // bytes
  double end = -1;
};

/// Max-min fair rates on one switch by filling: all flows grow equally until a cable is full; the flows on it stop
/// growing.
void fill(const std::vector<Flow*>& flows, double capacity, std::vector<double>& rates) {
  std::vector<bool> fixed(flows.size(), false);
  std::map<std::pair<bool, std::uint32_t>, double> room;
  for (const Flow* f : flows) room[{false, f->from}] = room[{true, f->to}] = capacity;
  rates.assign(flows.size(), 0);
  for (;;) {
    std::map<std::pair<bool, std::uint32_t>, int> users;
    for (std::size_t i = 0; i < flows.size(); ++i)
      if (!fixed[i]) ++users[{false, flows[i]->from}], ++users[{true, flows[i]->to}];
    if (users.empty()) return;
    double step = 1e300;
    for (const auto& [cable, count] : users) step = std::min(step, room[cable] / count);
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (fixed[i]) continue;
      rates[i] += step;
    }
    for (const auto& [cable, count] : users) room[cable] -= step * count;
    for (std::size_t i = 0; i < flows.size(); ++i)
      if (room[{false, flows[i]->from}] < 1e-6 * capacity || room[{true, flows[i]->to}] < 1e-6 * capacity)
        fixed[i] = true;
  }
}

/// Every flow's end: rates are constant between beginnings and ends.
void model(std::vector<Flow>& flows, double capacity) {
  double date = 0;
  for (;;) {
    std::vector<Flow*> active;
    double next = 1e300;
    for (Flow& f : flows)
      if (f.end < 0 && f.start <= date)
        active.push_back(&f);
      else if (f.end < 0)
        next = std::min(next, f.start);
    if (active.empty() && next == 1e300) return;
    std::vector<double> rates;
    fill(active, capacity, rates);
    for (std::size_t i = 0; i < active.size(); ++i) next = std::min(next, date + active[i]->left / rates[i]);
    for (std::size_t i = 0; i < active.size(); ++i) {
      active[i]->left -= rates[i] * (next - date);
      if (active[i]->left < 1e-6) active[i]->end = next;
    }
    date = next;
  }
}

} // namespace

TEST_CASE("random traffic over one switch shares it as a naive max-min model says") {
  std::mt19937_64 random(14);
  for (int round = 0; round < 10; ++round) {
    std::vector<Flow> flows;
    for (int i = 0; i < 30; ++i) {
      const auto from = static_cast<std::uint32_t>(random() % 8);
      const auto to = static_cast<std::uint32_t>((from + 1 + random() % 7) % 8);
      const auto bytes = static_cast<std::int64_t>(1000 + random() % 1000000);
      flows.push_back({from, to, bytes, static_cast<double>(random() % 1000) * 1e-3, static_cast<double>(bytes)});
    }
    std::vector<Body> actors;
    for (std::size_t i = 0; i < flows.size(); ++i)
      actors.emplace_back([i, f = flows[i]](Networks& n, Servers&, std::vector<double>& v) {
        simgrid::s4u::this_actor::sleep_until(f.start);
        n.send(lan, {node(f.from), 1}, {node(f.to), 7}, f.bytes);
        v[i] = now();
      });
    const auto ends = run_actors(with_lan(), flows.size(), actors);
    model(flows, 10e6);
    for (std::size_t i = 0; i < flows.size(); ++i) CHECK(std::abs(ends[i] - flows[i].end) <= 1e-9);
  }
}

TEST_CASE("computers beside the machine are on its LANs, and on the program's network if that is said") {
  Spec spec = with_lan();
  spec.get<MachineParams>().beside = 2;
  const Place beside{Place::Kind::beside, 1};
  CHECK(Places(spec).reaches(lan, beside));
  CHECK_FALSE(Places(spec).reaches(of_programs, beside));
  spec.get<MachineParams>().topology = Topology::star;
  spec.get<MachineParams>().beside_on_network = true;
  CHECK(Places(spec).reaches(of_programs, beside));
  const auto t = run_actors(spec, 2, {[&](Networks& n, Servers&, std::vector<double>& v) {
                              n.carry_and_land(lan, node(0), beside, 1000);
                              v[0] = now_ps();
                              n.carry_and_land(of_programs, node(0), beside, 28000);
                              v[1] = now_ps() - v[0];
                            }});
  CHECK(std::abs(t[0] - ps_of(1000, 10) - 50e6) <= tolerance_ps);
  // the wire alone: two cables, each a third of a long message's hop
  CHECK(std::abs(t[1] - ps_of(28000, 2.8) - 2 * 10e6) <= tolerance_ps);
}
