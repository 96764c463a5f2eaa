// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/params.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"

#include "tests/catch.hpp"

#include <cmath>

using namespace hypermon;
using namespace hypermon::test;

extern "C" int sc_main(int, char**) { return 0; } // the SystemC library wants one

namespace {

constexpr double second_ns = 1e9;
constexpr double tolerance = 1e-9; // s

/// Events of one type on one node.
double count(const RecordingMonitor& m, std::uint32_t node, EventType type) {
  double n = 0;
  for (const Emission& e : m.events)
    if (index(e.node) == node && e.event.type == type) ++n;
  return n;
}

double total(const RecordingMonitor& m, std::uint32_t node) {
  double n = 0;
  for (const Emission& e : m.events)
    if (index(e.node) == node) ++n;
  return n;
}

} // namespace

TEST_CASE("a clock that is not yet at zero reads whole units below it") {
  const NodeClock late(0, Time::from_ps(-88'000'000), Time::from_ns(1000));
  CHECK(late.read(500_ns) == Time::from_ps(-88'000'000)); // -87.5 us
  CHECK(late.read_us(500_ns) == -88);
  CHECK(late.read_us(88'900_ns) == 0);
  CHECK(NodeClock(0, Time::from_ps(-1500), Time::from_ns(1)).read_us({}) == -1); // -1.5 ns
}

TEST_CASE("an event costs what the monitor and its row say, a point without a row emits nothing and takes no time") {
  const Catalogue catalogue(
      "test", {{"noted", user_point(3), EventClass::application, 0x12, {{Item::c, 1}, {Item::a, 2}}, 5.0}});
  RecordingMonitor monitor(10_us);
  EventVolume volume;
  NodeKernel kernel(NodeId{0}, NodeClock{}, monitor, volume, catalogue);
  kernel.record(true);
  Time end;
  kernel.emit(user_point(2), {.a = 1});
  kernel.emit(Point::tick);
  kernel.then([&](Time t) { end = t; });
  CHECK(end == Time{});
  CHECK(monitor.events.empty());
  kernel.emit(user_point(3), {.a = 0x10002, .b = 3, .c = 4});
  kernel.then([&](Time t) { end = t; });
  CHECK(end == 10_us + 5_us);
  CHECK(kernel.emission_time() == end);
  REQUIRE(monitor.events.size() == 1);
  CHECK(monitor.events[0].event == Event{static_cast<EventType>(0), {4, 2, 0}});
  CHECK(kernel.event_bytes() == 1 + 1 + 2);
  volume.finish();
  CHECK(volume.total() == kernel.event_bytes() + 2); // a software record's delta
}

TEST_CASE("emissions that go on behind a date count as far as they come before it") {
  RecordingMonitor monitor(10_us);
  EventVolume volume;
  NodeKernel kernel(NodeId{0}, NodeClock{}, monitor, volume);
  kernel.record(true);
  for (const Time t : {100_us, 105_us}) { // [100, 110), 3 us of other work, [113, 123)
    kernel.open(t);
    kernel.emit(Point::tick);
    if (t == 100_us) kernel.spend(3_us);
  }
  CHECK(kernel.emission_time() == 20_us);
  CHECK(kernel.emission_time_until(105_us) == 5_us);
  CHECK(kernel.emission_time_until(112_us) == 10_us);
  CHECK(kernel.emission_time_until(114_us) == 11_us);
  CHECK(kernel.emission_time_until(200_us) == 20_us);
}

TEST_CASE("ticks delay a node while it computes and not while it waits") {
  Spec spec = plain_machine(2);
  spec.get<NodeParams>().tick_ms = 50;
  constexpr double tick_cost = 1e-3;
  const auto child = in_child([&] {
    std::vector<double> result(3);
    RecordingMonitor monitor(Time::from_seconds_rounded(tick_cost));
    run_program(spec, monitor, [&](int rank) {
      if (rank == 0) {
        const double begin = now();
        hypermon_compute(1, second_ns);
        result[0] = now() - begin;
        double ticks = 0;
        for (const Emission& e : monitor.events)
          if (index(e.node) == 0 && e.event.type == EventType::tick && e.start.seconds() >= begin) ++ticks;
        result[1] = ticks;
        execution().sleep_until(simgrid_now() + 1000_ms);
        result[2] = now() - begin;
      }
    });
    return result;
  });
  REQUIRE(child.status == 0);
  const double ticks = child.values[1];
  CHECK(ticks >= 20); // 1 s / 50 ms
  CHECK(std::abs(child.values[0] - (1 + ticks * tick_cost)) < tolerance);
  CHECK(std::abs(child.values[2] - child.values[0] - 1) < tolerance);
}

TEST_CASE("a message that arrives while the program computes takes the CPU for its handling and its event") {
  const Spec spec = plain_machine(2);
  constexpr double event_cost = 2e-3;
  const auto child = in_child([&] {
    std::vector<double> result(2);
    RecordingMonitor monitor(Time::from_seconds_rounded(event_cost));
    run_program(spec, monitor, [&](int rank) {
      char datum = 1;
      if (rank == 1) {
        hypermon_compute(1, 0.1 * second_ns);
        MPI_Send(&datum, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
      } else {
        const double begin = now();
        hypermon_compute(1, second_ns);
        result[0] = now() - begin;
        MPI_Recv(&datum, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        result[1] = count(monitor, 0, EventType::switch_out); // there is nothing to wait for
      }
    });
    return result;
  });
  REQUIRE(child.status == 0);
  const auto& n = spec.get<NetworkParams>();
  // half of the start-up that the wire does not take: 1 B and SMPI's 16 B header at the link's rate, one hop
  const double handling =
      (n.short_base_us.number - n.short_hop_us.number + n.short_us_per_byte - 17 / n.bandwidth_mb_per_s) / 2 * 1e-6;
  CHECK(std::abs(child.values[0] - (1 + event_cost + handling)) < 1e-8);
  CHECK(child.values[1] == 0);
}

TEST_CASE("each side of a long message emits eight events, of a short one three and six") {
  const auto child = in_child([&] {
    std::vector<double> result(4);
    RecordingMonitor monitor(1_us);
    run_program(plain_machine(2), monitor, [&](int rank) {
      std::vector<char> data(512);
      const auto own = static_cast<std::size_t>(rank);
      for (int i = 0; i < 2; ++i) {
        const int size = i == 0 ? 512 : 8;
        MPI_Barrier(MPI_COMM_WORLD);
        hypermon_compute(1, 1e7 * (rank == 0 ? 2 : 1)); // the receiver waits
        const double before = total(monitor, static_cast<std::uint32_t>(rank));
        if (rank == 0) MPI_Send(data.data(), size, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(data.data(), size, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        result[own + 2 * static_cast<std::size_t>(i)] = total(monitor, static_cast<std::uint32_t>(rank)) - before;
        hypermon_compute(1, 1e7); // the next message arrives when both have counted
      }
    });
    return result;
  });
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{8, 8, 3, 6});
}

TEST_CASE("a posted receive takes its message by interrupts, and the request of a long one shows at once") {
  const auto child = in_child([&] {
    std::vector<double> result(4);
    RecordingMonitor monitor(1_us);
    run_program(plain_machine(2), monitor, [&](int rank) {
      std::vector<char> data(512);
      if (rank == 0) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(data.data(), 512, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
        hypermon_compute(1, second_ns);
        result[0] = count(monitor, 0, EventType::request_arrived);
        result[1] = count(monitor, 0, EventType::grant_sent);
        result[2] = count(monitor, 0, EventType::data_done);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        result[3] = count(monitor, 0, EventType::switch_out);
      } else {
        hypermon_compute(1, 0.1 * second_ns);
        MPI_Send(data.data(), 512, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
      }
    });
    return result;
  });
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{1, 1, 1, 0});
}

TEST_CASE("events of one node neither overlap nor go back in time") {
  Spec spec = plain_machine(4);
  spec.get<NodeParams>().tick_ms = 1;
  const auto child = in_child([&] {
    std::vector<double> overlaps{0, 0};
    const Time cost = 100_us;
    RecordingMonitor monitor(cost);
    run_program(spec, monitor, [&](int rank) {
      std::vector<char> data(512);
      for (int i = 0; i < 20; ++i) {
        hypermon_compute(1, 1e6 * (rank + 1));
        double sum = rank;
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Bcast(data.data(), 512, MPI_CHAR, i % 4, MPI_COMM_WORLD);
      }
    });
    std::vector<Time> free_at(4);
    for (const Emission& e : monitor.events) {
      Time& t = free_at[index(e.node)];
      if (e.start < t) ++overlaps[0];
      t = e.start + cost;
      ++overlaps[1];
    }
    return overlaps;
  });
  REQUIRE(child.status == 0);
  CHECK(child.values[0] == 0);
  CHECK(child.values[1] > 4 * 20 * 10);
}

TEST_CASE("a deadlock ends the run, and each rank says what it waits for") {
  const auto child = in_child([] {
    NoMonitor monitor;
    Spec spec = plain_machine(2);
    spec.get<NodeParams>().tick_ms = 50; // ticks go on for ever: SimGrid alone would never notice
    run_program(spec, monitor, [](int rank) {
      char datum = 0;
      MPI_Recv(&datum, 1, MPI_CHAR, 1 - rank, 7 + rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    return std::vector<double>{};
  });
  CHECK(child.status == 3);
  CHECK(child.errors.find("rank 0 waits for MPI_Recv from rank 1, tag 7") != std::string::npos);
  CHECK(child.errors.find("rank 1 waits for MPI_Recv from rank 0, tag 8") != std::string::npos);
}
