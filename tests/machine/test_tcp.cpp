// SPDX-License-Identifier: BSD-3-Clause
// TCP between daemons' ports: dates derived by hand, over SimGrid's links.
#include "hw/machine/lan_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/networks.hpp"
#include "hw/machine/tcp_params.hpp"
#include "tests/machine/actors.hpp"

#include "tests/catch.hpp"

#include <simgrid/s4u/Actor.hpp>

#include <cmath>

using namespace hypermon;
using namespace hypermon::test;

namespace {

/// Eight nodes and a LAN of 10 MB/s and 50 us.
Spec with_lan() {
  Spec spec = plain_machine(8);
  auto& lan = spec.get<LanSection>();
  lan.count = 1;
  lan.bandwidth_mb_per_s = 10;
  lan.latency_us = 50;
  return spec;
}
Spec spec_with(const std::function<void(TcpParams&)>& change) {
  Spec spec = with_lan();
  change(spec.get<TcpParams>());
  return spec;
}

constexpr NetworkId lan{1};
Place node(std::uint32_t n) { return Place::node(NodeId{n}); }
Address port(std::uint32_t of_node) { return {node(of_node), 7}; }

// All in us.
constexpr double flight = 50;
double now_us() { return now() * 1e6; }
double sent(double bytes, int segments = 1) { return (bytes + 78 * segments) / 10; }
double until(double us, double begin = 0) { return begin + us; }
bool close_to(double a, double b) { return std::abs(a - b) <= 1e-4; } // some dates are computed by SimGrid in doubles

void sleep_until_us(double us) { simgrid::s4u::this_actor::sleep_until(us * 1e-6); }

/// An actor that receives `count` messages at the node's port, and records their times: -1 for a reset.
Body receiver(std::uint32_t of_node, std::size_t first, std::size_t count) {
  return [=](Networks& n, Servers&, std::vector<double>& v) {
    for (std::size_t i = first; i < first + count; ++i) {
      const auto got = n.receive(port(of_node));
      v[i] = got->reset ? -now_us() : now_us();
    }
  };
}

/// A client writes `request`, the server answers each with a byte, so many times: when each answer was there.
std::vector<double> ask(const Spec& spec, const std::vector<std::int64_t>& request, std::size_t times) {
  return run_actors(spec, times,
                    {[=](Networks& n, Servers&, std::vector<double>& v) {
                       for (double& t : v) {
                         n.stream(lan, port(0), port(5), request);
                         n.receive(port(0));
                         t = now_us();
                       }
                     },
                     [=](Networks& n, Servers&, std::vector<double>&) {
                       for (std::size_t i = 0; i < times; ++i) {
                         n.receive(port(5));
                         n.stream(lan, port(5), port(0), {1});
                       }
                     }});
}

} // namespace

TEST_CASE("the first message waits for a round trip, those behind it do not") {
  const auto t = run_actors(with_lan(), 3,
                            {[](Networks& n, Servers&, std::vector<double>& v) {
                               n.stream(lan, port(0), port(5), {100});
                               v[2] = now_us();
                               sleep_until_us(1000000);
                               n.stream(lan, port(0), port(5), {100});
                             },
                             receiver(5, 0, 2)});
  CHECK(close_to(t[0], 2 * flight + sent(100) + flight));
  CHECK(close_to(t[1], until(sent(100) + flight, 1000000)));
  CHECK(t[2] == 0);
}

TEST_CASE("two small writes before a read wait for the delayed acknowledgement, if Nagle's algorithm is on") {
  const double connect = 2 * flight;
  // held back until the first is acknowledged
  const double small = sent(16) + flight + 40000 + flight + sent(100) + flight;
  const double answer = sent(1) + flight;
  for (const Nagle nagle : {Nagle::rfc896, Nagle::linux_2_2, Nagle::minshall}) {
    const auto t = ask(spec_with([&](TcpParams& p) { p.nagle = nagle; }), {16, 100}, 2);
    CHECK(close_to(t[0], connect + small + answer));
    // the answer has not been acknowledged, and no other data are in progress: the second exchange is like the first
    CHECK(close_to(t[1], t[0] + small + answer));
  }
  const double back_to_back = sent(16) + sent(100) + flight;
  const auto off = ask(spec_with([](TcpParams& p) { p.nagle = Nagle::off; }), {16, 100}, 2);
  CHECK(close_to(off[0], connect + back_to_back + answer));
  CHECK(close_to(off[1], off[0] + back_to_back + answer));
  const auto one = ask(with_lan(), {116}, 2);
  CHECK(close_to(one[1], one[0] + sent(116) + flight + answer));
  const double at_once = sent(16) + flight + flight + sent(100) + flight;
  const auto prompt = ask(spec_with([](TcpParams& p) { p.delayed_ack_ms = 0; }), {16, 100}, 2);
  CHECK(close_to(prompt[1], prompt[0] + at_once + answer));
  const auto quick = ask(spec_with([](TcpParams& p) { p.quick_acks = 1; }), {16, 100}, 2);
  CHECK(close_to(quick[0], connect + at_once + answer)); // the first segment leaves at once; the next ones do not
  CHECK(close_to(quick[1], quick[0] + small + answer));
}

TEST_CASE("what is held leaves with the next acknowledgement, and several small writes as one segment") {
  // three writes: the first leaves, the others wait together
  const auto t = ask(with_lan(), {16, 30, 70}, 1);
  CHECK(close_to(t[0], 2 * flight + sent(16) + flight + 40000 + flight + sent(100) + flight + sent(1) + flight));
}

TEST_CASE("a second full segment is acknowledged at once, and what is behind it leaves") {
  // 3020 B after 10 B: two full segments and 100 B, which wait (rfc896: for all, minshall: for the small segment of 10
  // B)
  const double held = sent(10) + sent(2920, 2) + flight + flight + sent(100) + flight;
  for (const Nagle nagle : {Nagle::rfc896, Nagle::minshall}) {
    const auto t = ask(spec_with([&](TcpParams& p) { p.nagle = nagle; }), {10, 3020}, 1);
    CHECK(close_to(t[0], 2 * flight + held + sent(1) + flight));
  }
  // alone, the tail waits for full segments under RFC 896 only, and below half of a full one under Linux 2.2
  const double together = sent(3020, 3) + flight;
  const double apart = sent(2920, 2) + flight + flight + sent(100) + flight;
  for (const auto& [nagle, takes] : {std::pair{Nagle::rfc896, apart},
                                     {Nagle::linux_2_2, apart},
                                     {Nagle::minshall, together},
                                     {Nagle::off, together}}) {
    const auto t = ask(spec_with([&](TcpParams& p) { p.nagle = nagle; }), {3020}, 1);
    CHECK(close_to(t[0], 2 * flight + takes + sent(1) + flight));
  }
  const auto half = ask(spec_with([](TcpParams& p) { p.nagle = Nagle::linux_2_2; }), {2920 + 730}, 1);
  CHECK(close_to(half[0], 2 * flight + sent(3650, 3) + flight + sent(1) + flight));
}

TEST_CASE("a long message takes its data and headers over the cable, however it is cut into transfers") {
  for (const std::int64_t burst : {1, 16, 22}) { // two of them fit into the buffer
    const auto t = run_actors(spec_with([&](TcpParams& p) { p.burst_segments = burst; }), 1,
                              {[](Networks& n, Servers&, std::vector<double>&) {
                                 n.stream(lan, port(0), port(5), {146000}); // 100 full segments
                               },
                               receiver(5, 0, 1)});
    CHECK(std::abs(t[0] - (2 * flight + sent(146000, 100) + flight)) <= 1e-3);
  }
}

TEST_CASE("who writes waits only while the socket's buffer is full, and messages stay in order") {
  const auto t = run_actors(spec_with([](TcpParams& p) { p.buffer_kb = 2.92; }), 4,
                            {[](Networks& n, Servers&, std::vector<double>& v) {
                               n.stream(lan, port(0), port(5), {2920}, 1);
                               v[0] = now_us();
                               n.stream(lan, port(0), port(5), {1000}, 2);
                               v[1] = now_us();
                             },
                             [](Networks& n, Servers&, std::vector<double>& v) {
                               v[2] = std::any_cast<int>(n.receive(port(5))->content);
                               v[3] = std::any_cast<int>(n.receive(port(5))->content);
                             }});
  CHECK(t[0] == 0);
  CHECK(close_to(t[1], 2 * flight + sent(2920, 2) + flight + flight)); // acknowledged, all at once
  CHECK(t[2] == 1);
  CHECK(t[3] == 2);
}

TEST_CASE("ends that begin at the same time have one connection, and both directions are independent") {
  const auto sender = [](std::uint32_t from, std::uint32_t to, std::size_t value) {
    return [=](Networks& n, Servers&, std::vector<double>& v) {
      n.stream(lan, port(from), port(to), {100});
      const auto got = n.receive(port(from));
      v[value] = got->reset ? -1 : now_us();
      v[value + 2] = n.receive(port(from), Time::from_seconds_rounded(1)) ? 1 : 0;
    };
  };
  const auto t = run_actors(with_lan(), 4, {sender(0, 5, 0), sender(5, 0, 1)});
  const double there = 3 * flight + sent(100);
  CHECK(close_to(t[0], there));
  CHECK(close_to(t[1], there));
  CHECK(t[2] == 0);
  CHECK(t[3] == 0);
}

TEST_CASE("a process that ends resets its connections, and the other end is told one flight later") {
  const auto t = run_actors(with_lan(), 5,
                            {[](Networks& n, Servers&, std::vector<double>& v) {
                               n.stream(lan, port(0), port(5), {100});
                               const auto told = n.receive(port(0));
                               v[0] = told->reset && told->from == port(5) ? now_us() : -1;
                               n.stream(lan, port(0), port(5), {100}); // there is nobody
                               v[1] = n.receive(port(0))->reset ? now_us() : -1;
                               sleep_until_us(20000);
                               n.stream(lan, port(0), port(5), {100});
                             },
                             [](Networks& n, Servers&, std::vector<double>& v) {
                               n.receive(port(5));
                               sleep_until_us(10000);
                               n.close(port(5));
                               sleep_until_us(20000);
                               v[2] = n.receive(port(5))->reset ? -1 : now_us();
                               v[3] = static_cast<double>(n.interface(lan, node(0)).sent_bytes);
                               v[4] = static_cast<double>(n.interface(lan, node(5)).received_packets);
                             }});
  CHECK(close_to(t[0], 10000 + flight));
  CHECK(close_to(t[1], 10000 + 3 * flight)); // refused
  CHECK(close_to(t[2], 20000 + 2 * flight + sent(100) + flight));
  CHECK(t[3] == 2 * 178);
  CHECK(t[4] == 2);
}

TEST_CASE("a computer that is off says nothing, who sent to it learns when it is there again, or gives up") {
  const auto run = [](double back_us, std::int64_t retries) {
    return run_actors(spec_with([&](TcpParams& p) { p.retries = retries; }), 2,
                      {[](Networks& n, Servers&, std::vector<double>& v) {
                         n.stream(lan, port(0), port(5), {100});
                         sleep_until_us(10000);
                         n.stream(lan, port(0), port(5), {100});
                         v[1] = n.receive(port(0), Time::from_seconds_rounded(100)) ? now_us() : -1;
                       },
                       [=](Networks& n, Servers&, std::vector<double>& v) {
                         v[0] = n.receive(port(5)) ? now_us() : -1;
                         sleep_until_us(5000);
                         n.close(port(5), Closed::silent);
                         sleep_until_us(back_us);
                         n.open(port(5));
                       }});
  };
  // the first message is not acknowledged when the computer goes off, and the second waits for that. It is sent again
  // after 200 ms and after 400 ms more; the answer also takes a flight
  CHECK(close_to(run(500000, 15)[1], 5000 + 200000 + flight + 400000 + flight + flight));
  CHECK(close_to(run(1e9, 2)[1], 5000 + 200000 + flight + 400000 + flight));
}

TEST_CASE("a computer that is back and begins anew resets what the other end still has") {
  const auto t = run_actors(with_lan(), 3,
                            {[](Networks& n, Servers&, std::vector<double>& v) {
                               n.stream(lan, port(0), port(5), {100});
                               for (std::size_t i = 0; i < 2; ++i) {
                                 const auto got = n.receive(port(0));
                                 v[i] = got->reset ? -now_us() : now_us();
                               }
                             },
                             [](Networks& n, Servers&, std::vector<double>& v) {
                               n.receive(port(5));
                               n.close(port(5), Closed::silent);
                               sleep_until_us(10000);
                               n.stream(lan, port(5), port(0), {100});
                               v[2] = n.receive(port(5), Time::from_seconds_rounded(1)) ? 1 : 0;
                             }});
  CHECK(close_to(t[0], -(10000 + flight)));
  CHECK(close_to(t[1], 10000 + 3 * flight + sent(100)));
  CHECK(t[2] == 0);
}

TEST_CASE("small transfers queue at both interfaces, and large ones share them") {
  const auto t =
      run_actors(with_lan(), 4,
                 {[](Networks& n, Servers&, std::vector<double>&) {
                    for (const std::uint32_t to : {1U, 2U}) n.stream(lan, port(0), port(to), {100});
                  },
                  [](Networks& n, Servers&, std::vector<double>&) { n.stream(lan, port(3), port(2), {1000}); },
                  receiver(1, 0, 1), receiver(2, 2, 2)});
  CHECK(close_to(t[0], 3 * flight + sent(100)));
  // both begin to leave for node 2: the segment that leaves node 3 at once arrives first
  CHECK(close_to(t[2], 3 * flight + sent(1000)));
  CHECK(close_to(t[3], 3 * flight + sent(1000) + sent(100)));
  const auto large =
      run_actors(with_lan(), 2,
                 {[](Networks& n, Servers&, std::vector<double>&) { n.stream(lan, port(0), port(5), {14600}); },
                  [](Networks& n, Servers&, std::vector<double>&) { n.stream(lan, port(1), port(5), {14600}); },
                  receiver(5, 0, 2)});
  for (const double there : large) CHECK(std::abs(there - (3 * flight + 2 * sent(14600, 10))) <= 1e-3);
}

TEST_CASE("messages of a connection keep their order, although large transfers bypass the queue of small ones") {
  std::vector<Body> actors;
  for (const std::uint32_t from : {1U, 2U, 3U, 4U})
    actors.emplace_back(
        [=](Networks& n, Servers&, std::vector<double>&) { n.stream(lan, port(from), port(5), {1000}); });
  actors.emplace_back([](Networks& n, Servers&, std::vector<double>&) {
    n.stream(lan, port(0), port(5), {1000}); // the last one in the queue
    n.stream(lan, port(0), port(5), {2000}); // no other transfer shares the cable
  });
  actors.push_back(receiver(5, 0, 6));
  const auto t = run_actors(spec_with([](TcpParams& p) { p.nagle = Nagle::off; }), 6, actors);
  for (std::size_t i = 0; i < 5; ++i) CHECK(close_to(t[i], 3 * flight + static_cast<double>(i + 1) * sent(1000)));
  CHECK(close_to(t[5], t[4])); // it had left by then
}

TEST_CASE("within a place a message over a connection takes no time") {
  const auto t = run_actors(with_lan(), 1,
                            {[](Networks& n, Servers&, std::vector<double>&) {
                               n.stream(lan, {node(3), 1}, {node(3), 7}, {16, 100000});
                             },
                             receiver(3, 0, 1)});
  CHECK(t[0] == 0);
}

TEST_CASE("on the program's network TCP has the latency and bandwidth of its links, whoever carries the program's") {
  for (const auto messages : {hypermon::Messages::nx2, hypermon::Messages::smpi}) {
    Spec spec = plain_machine(8);
    spec.get<MachineParams>().topology = Topology::star;
    spec.get<MachineParams>().messages = messages;
    spec.get<NetworkParams>().bandwidth_mb_per_s = 10;
    spec.get<NetworkParams>().short_hop_us = 25;
    const auto t = run_actors(spec, 2,
                              {[](Networks& n, Servers&, std::vector<double>&) {
                                 n.stream(NetworkId{}, port(0), port(5), {100});
                                 n.stream(NetworkId{}, port(0), port(5), {146000});
                               },
                               receiver(5, 0, 2)});
    CHECK(close_to(t[0], 3 * flight + sent(100)));
    CHECK(std::abs(t[1] - (t[0] + sent(146000, 100))) <= 1e-3);
  }
}
