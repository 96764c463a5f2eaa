// SPDX-License-Identifier: BSD-3-Clause
// Messages of the capture boards' I/O nodes on the program's links.
#include "hw/hypermon/wiring/boards.hpp"
#include "hw/hypermon/wiring/drain_link.hpp"
#include "hw/machine/params.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/monitors/hypermon/machine/with_boards.hpp"

#include "tests/catch.hpp"

#include <cmath>

using namespace hypermon;
using namespace hypermon::test;

namespace {

constexpr double tolerance_ps = 2; // dates that SimGrid computes in doubles

/// Eight nodes, two boards: the I/O node of board 1 is at node 4. Its way to the host, link 4 to 0 and the host's
/// channel, has three hops, as the program's from node 7 by 6 and 4 to 0: SimGrid shares a link by latency. The host's
/// channel is no bottleneck.
Spec two_boards() {
  Spec spec = plain_machine(8);
  spec.monitor = "hypermon";
  spec.get<EcbSection>().inputs = 4;
  spec.get<HostParams>().bandwidth_kb_per_s = 1e5;
  return spec;
}

Time on_the_wire(const Spec& spec, std::int64_t bytes) {
  return Time::from_ns_rounded(static_cast<double>(bytes) * 1e3 / spec.get<NetworkParams>().bandwidth_mb_per_s);
}

struct Drain {
  std::size_t board;
  std::int64_t bytes;
  Time at;
};

/// Node 7 sends `bytes` to node 0, which computes meanwhile, while boards drain. Returns when the message's end
/// interrupts node 0, when node 7's data left it, and when each drain was over (ps).
std::vector<double> times(const Spec& spec, std::int64_t bytes, const std::vector<Drain>& drains) {
  const auto child = in_child([&] {
    RecordingMonitor monitor(1_us);
    double start = 0;
    std::vector<double> sent(drains.size());
    Machine* machine = nullptr;
    const auto program = [&](int rank) {
      std::vector<char> data(static_cast<std::size_t>(bytes));
      const int count = static_cast<int>(bytes);
      if (rank == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(data.data(), count, MPI_CHAR, 7, 1, MPI_COMM_WORLD, &request);
        hypermon_compute(1, 1e9);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      } else if (rank == 7) {
        hypermon_compute(1, 1e7);
        MPI_Send(data.data(), count, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
      } else if (rank == 1) {
        DrainLink link(*machine);
        for (std::size_t i = 0; i < drains.size(); ++i) {
          execution().sleep_until(drains[i].at);
          link.send(drains[i].board, drains[i].bytes,
                    [&sent, i](Time date) { sent[i] = static_cast<double>(date.ps()); });
        }
        execution().sleep_until(2000_ms);
      }
    };
    run_with_boards(spec, monitor, program, [&](Machine& m) { machine = &m; });
    double arrived = 0;
    for (const Emission& e : monitor.events) {
      if (index(e.node) == 7 && e.event.type == EventType::send_start)
        start = static_cast<double>((e.start + 1_us).ps());
      if (index(e.node) == 0 && (e.event.type == EventType::message_arrived || e.event.type == EventType::data_done))
        arrived = static_cast<double>(e.start.ps());
    }
    std::vector<double> result{arrived, start};
    result.insert(result.end(), sent.begin(), sent.end());
    return result;
  });
  REQUIRE(child.status == 0);
  REQUIRE(child.values.size() == 2 + drains.size());
  return child.values;
}

} // namespace

TEST_CASE("I/O nodes alone change nothing") {
  Spec without = two_boards();
  without.monitor = "none";
  CHECK(times(two_boards(), 100000, {}) == times(without, 100000, {}));
}

TEST_CASE("a drain and a message of the program that use one link at a time have half of it each") {
  const Spec spec = two_boards();
  constexpr std::int64_t bytes = 280000;
  constexpr std::int64_t drained = 28000;
  const Time alone = on_the_wire(spec, drained);
  const Time latency = 3 * spec.get<NetworkParams>().short_hop_us;
  const auto quiet = times(spec, bytes, {});
  const Time during = 50_ms; // the message takes 100 ms from 10 ms on
  const Time after = 300_ms;

  const auto shared = times(spec, bytes, {{1, drained, during}});
  CHECK(std::abs(shared[0] - quiet[0] - static_cast<double>(alone.ps())) < tolerance_ps);
  CHECK(std::abs(shared[2] - static_cast<double>((during + latency + alone * 2).ps())) < tolerance_ps);

  const auto apart = times(spec, bytes, {{1, drained, after}});
  CHECK(apart[0] == quiet[0]);
  CHECK(std::abs(apart[2] - static_cast<double>((after + latency + alone).ps())) < tolerance_ps);

  // Board 0's route to the host shares no link with the message's route.
  const auto elsewhere = times(spec, bytes, {{0, drained, during}});
  CHECK(elsewhere[0] == quiet[0]);
}

TEST_CASE("the host's channel is what a drain takes, if it is slower than the links") {
  const Spec spec = [] {
    Spec s = two_boards();
    s.get<HostParams>() = {};
    return s;
  }();
  constexpr std::int64_t drained = 28000;
  const auto result = times(spec, 100, {{1, drained, 300_ms}});
  const double expected_us = 300e3 + 3 * spec.get<NetworkParams>().short_hop_us.number +
                             static_cast<double>(drained) * 1e3 / spec.get<HostParams>().bandwidth_kb_per_s;
  CHECK(std::abs(result[2] - expected_us * 1e6) < tolerance_ps);
}

TEST_CASE("a drain of a message's size that begins with it and ends before is not taken for it") {
  const Spec spec = two_boards();
  constexpr std::int64_t bytes = 100;
  const auto quiet = times(spec, bytes, {});
  const Time start = Time::from_ps(static_cast<std::int64_t>(quiet[1]));
  const auto wire_bytes = bytes + static_cast<std::int64_t>(Machine::smpi_header_bytes);
  const auto both = times(spec, bytes, {{0, wire_bytes, start}}); // two hops instead of three
  CHECK(both[0] == quiet[0]);
  const Time over = start + 2 * spec.get<NetworkParams>().short_hop_us + on_the_wire(spec, wire_bytes);
  CHECK(std::abs(both[2] - static_cast<double>(over.ps())) < tolerance_ps);
  CHECK(both[2] < quiet[0] - static_cast<double>(Time{spec.get<NetworkParams>().short_hop_us / 2}.ps()));
}

TEST_CASE("a drain that is under way when the program ends still arrives") {
  const Spec spec = two_boards();
  constexpr std::int64_t drained = 2800000; // a second
  const auto result = times(spec, 100, {{1, drained, 1900_ms}});
  CHECK(result[2] > static_cast<double>((1900_ms + on_the_wire(spec, drained)).ps()));
}

TEST_CASE("a deadlock is recognised after a drain: it is no message of the program's") {
  Spec spec = two_boards();
  spec.get<NodeParams>().tick_ms = 50;
  const auto child = in_child([&] {
    NoMonitor monitor;
    Machine* machine = nullptr;
    const auto program = [&](int rank) {
      char datum = 0;
      if (rank == 1) DrainLink(*machine).send(1, 100, [](Time) {});
      MPI_Recv(&datum, 1, MPI_CHAR, rank ^ 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    run_with_boards(spec, monitor, program, [&](Machine& m) { machine = &m; });
    return std::vector<double>{};
  });
  CHECK(child.status == 3);
}
