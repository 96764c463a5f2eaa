// SPDX-License-Identifier: BSD-3-Clause
// Emissions whose cost the monitor tells later: NodeKernel's queue, and the program on top of it.
#include "hw/machine/params.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/os/deferring_monitor.hpp"

#include "tests/catch.hpp"

#include <algorithm>

extern "C" void hypermon_event(unsigned char value);

using namespace hypermon;
using namespace hypermon::test;

namespace {

/// Holds every emission until the test lets it go.
class HoldingMonitor : public Monitor {
public:
  std::optional<Time> emit(const Emission& e) override {
    events.push_back(e);
    return std::nullopt;
  }
  void advance(Time) override {}
  void finish(Time) override {}
  void report(Results&, Time, Time) const override {}
  std::vector<Emission> events;
};

/// All kinds of communication, with interrupts and ticks while the program computes.
void busy_program(int rank) {
  std::vector<char> out(4096);
  std::vector<char> in(4096);
  const int right = (rank + 1) % 4;
  const int left = (rank + 3) % 4;
  for (int i = 0; i < 10; ++i) {
    for (const int size : {40, 700}) {
      MPI_Request receive = MPI_REQUEST_NULL;
      MPI_Request send = MPI_REQUEST_NULL;
      MPI_Irecv(in.data(), size, MPI_CHAR, left, 1, MPI_COMM_WORLD, &receive);
      hypermon_compute(1, 1e5 * (rank + 1));
      MPI_Isend(out.data(), size, MPI_CHAR, right, 1, MPI_COMM_WORLD, &send);
      hypermon_compute(1, 3e6 - 2e5 * rank); // requests, grants and data interrupt it
      MPI_Wait(&receive, MPI_STATUS_IGNORE);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    hypermon_event(static_cast<unsigned char>(i));
    MPI_Sendrecv(out.data(), 300, MPI_CHAR, right, 2, in.data(), 300, MPI_CHAR, left, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    double sum = rank;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(out.data(), 2000, MPI_CHAR, i % 4, MPI_COMM_WORLD);
    if (rank == 0) {
      hypermon_compute(1, 2e6);
      MPI_Send(out.data(), 10, MPI_CHAR, 3, 3, MPI_COMM_WORLD);
    } else if (rank == 3) {
      MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Request receive = MPI_REQUEST_NULL;
      MPI_Irecv(in.data(), 10, MPI_CHAR, 0, 3, MPI_COMM_WORLD, &receive);
      for (int done = 0; done == 0;) MPI_Test(&receive, &done, MPI_STATUS_IGNORE);
    }
    if (i == 4) MPI_Pcontrol(0);
    if (i == 6) MPI_Pcontrol(1);
  }
}

/// Numbers that tell two runs apart: of every rank its times, its events' fingerprint and their starts.
std::vector<double> digest(const std::vector<RankResult>& ranks, const std::vector<Emission>& events) {
  std::vector<double> numbers;
  const auto add = [&](std::uint64_t n) {
    numbers.push_back(static_cast<double>(n >> 32));
    numbers.push_back(static_cast<double>(n & 0xffffffff));
  };
  std::vector<std::uint64_t> starts(ranks.size());
  for (const Emission& e : events) {
    std::uint64_t& hash = starts[index(e.node)];
    hash = mix(mix(hash, static_cast<std::uint64_t>(e.start.ps())), static_cast<std::uint64_t>(e.event.type));
  }
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    for (const Time t : {ranks[r].begin, ranks[r].end, ranks[r].compute_time, ranks[r].emission_time})
      numbers.push_back(static_cast<double>(t.ps()));
    numbers.push_back(static_cast<double>(ranks[r].events));
    add(ranks[r].fingerprint);
    add(starts[r]);
  }
  return numbers;
}

} // namespace

TEST_CASE("work behind a held emission takes effect in order when the monitor has answered") {
  HoldingMonitor monitor;
  EventVolume volume;
  NodeKernel kernel(NodeId{0}, NodeClock{}, monitor, volume);
  kernel.record(true);
  std::vector<Time> ends;
  const auto note = [&](Time end) { ends.push_back(end); };
  kernel.open(10_us);
  kernel.spend(2_us);
  kernel.then(note);
  kernel.emit(Point::user, {.value = 1});
  kernel.spend(3_us);
  kernel.then(note);
  kernel.interrupt(13_us, [&](NodeKernel& k) {
    k.spend(4_us);
    k.emit(Point::tick);
  });
  kernel.then(note);
  kernel.open(100_us);
  kernel.then(note);

  CHECK(ends == std::vector<Time>{12_us}); // before the first emission
  REQUIRE(monitor.events.size() == 1);
  CHECK(monitor.events[0].start == 12_us);
  CHECK(!kernel.settled());

  kernel.emission_done(20_us);
  CHECK(ends == std::vector<Time>{12_us, 20_us + 3_us});
  REQUIRE(monitor.events.size() == 2);
  CHECK(monitor.events[1].start == 20_us + 3_us + 4_us); // the interrupt came while the first was held
  CHECK(kernel.stolen() == Time{});                      // the emission is not finished

  kernel.emission_done(50_us);
  CHECK(ends == std::vector<Time>{12_us, 23_us, 50_us, 100_us});
  CHECK(kernel.settled());
  CHECK(kernel.stolen() == 50_us - 23_us);
  CHECK(kernel.emission_time() == (20_us - 12_us) + (50_us - 27_us));
  CHECK(kernel.events() == 2);
}

TEST_CASE("a monitor that answers later, but with the same cost, changes nothing") {
  Spec spec = plain_machine(4);
  const Spec defaults;
  spec.get<NodeParams>() = defaults.get<NodeParams>(); // drifts and phases
  spec.get<NodeParams>().tick_ms = 1;
  constexpr Time cost = 26140_ns;
  const auto immediate = in_child([&] {
    RecordingMonitor monitor(cost);
    const auto ranks = run_program(spec, monitor, busy_program);
    return digest(ranks, monitor.events);
  });
  const auto deferred = in_child([&] {
    Bridge bridge("bridge");
    DeferringMonitor monitor(bridge, 4, [=](const Emission&) { return cost; });
    const auto ranks = run_program_with(bridge, spec, monitor, busy_program);
    auto numbers = digest(ranks, monitor.events);
    numbers.push_back(monitor.outstanding());
    return numbers;
  });
  REQUIRE(immediate.status == 0);
  REQUIRE(deferred.status == 0);
  auto expected = immediate.values;
  expected.push_back(0); // nothing is held at the end
  CHECK(deferred.values == expected);
  CHECK(immediate.values[4] > 500); // events of rank 0
}

TEST_CASE("nodes that share one server wait for each other, and the program by exactly as much") {
  constexpr Time cost = 100_us;
  constexpr int nodes = 4;
  constexpr int events = 5;
  const auto child = in_child([&] {
    Bridge bridge("bridge");
    DeferringMonitor monitor(bridge, 1, [=](const Emission&) { return cost; });
    std::vector<double> ends(nodes);
    run_program_with(bridge, plain_machine(nodes), monitor, [&](int rank) {
      for (int i = 0; i < events; ++i) hypermon_event(1);
      ends[static_cast<std::size_t>(rank)] = static_cast<double>(simgrid_now().ps());
    });
    return ends;
  });
  REQUIRE(child.status == 0);
  // All begin at 0 with the start of their process and never pause: the server serves them in turn, in the order of the
  // ranks.
  for (int rank = 0; rank < nodes; ++rank)
    CHECK(child.values[static_cast<std::size_t>(rank)] ==
          static_cast<double>((cost * ((1 + events - 1) * nodes + rank + 1)).ps()));
}

TEST_CASE("a tick that is held delays a computing rank by exactly as much") {
  Spec spec = plain_machine(2);
  spec.get<NodeParams>().tick_ms = 7.3;
  constexpr Time cost = 1_ms;
  constexpr Time work = 100_ms;
  const auto child = in_child([&] {
    Bridge bridge("bridge");
    DeferringMonitor monitor(bridge, 1, [=](const Emission&) { return cost; });
    std::vector<double> result(4);
    run_program_with(bridge, spec, monitor, [&](int rank) {
      if (rank == 1) {
        for (int i = 0; i < 300; ++i) hypermon_event(1); // keeps the server busy
        return;
      }
      const Time begin = simgrid_now();
      hypermon_compute(1, static_cast<double>(work.ps()) * 1e-3);
      const Time end = simgrid_now();
      result[0] = static_cast<double>((end - begin).ps());

      // The rule of the server, applied to the emissions' starts.
      auto emissions = monitor.events;
      std::stable_sort(emissions.begin(), emissions.end(),
                       [](const Emission& a, const Emission& b) { return a.start < b.start; });
      Time server_free;
      Time delay;
      for (const Emission& e : emissions) {
        server_free = std::max(server_free, e.start) + cost;
        if (index(e.node) != 0 || e.event.type != EventType::tick || e.start < begin || e.start >= end) continue;
        delay += server_free - e.start;
        ++result[2];
        if (server_free - e.start > cost) ++result[3];
      }
      result[1] = static_cast<double>((work + delay).ps());
    });
    return result;
  });
  REQUIRE(child.status == 0);
  CHECK(child.values[0] == child.values[1]);
  CHECK(child.values[2] >= 13); // 100 ms / 7.3 ms
  CHECK(child.values[3] >= 13); // number of ranks that waited for the server
}

TEST_CASE("a message that arrives while the program computes delays it by as long as its event is held") {
  const Spec spec = plain_machine(2);
  constexpr Time held = 30_ms;
  const auto delay = [&](Time arrival) {
    const auto child = in_child([&] {
      Bridge bridge("bridge");
      DeferringMonitor monitor(
          bridge, 2, [=](const Emission& e) { return e.event.type == EventType::message_arrived ? arrival : 1_us; });
      std::vector<double> result(1);
      run_program_with(bridge, spec, monitor, [&](int rank) {
        char datum = 1;
        if (rank == 1) {
          MPI_Send(&datum, 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
          return;
        }
        const Time begin = simgrid_now();
        hypermon_compute(1, 1e7); // ends while the event is held
        result[0] = static_cast<double>((simgrid_now() - begin).ps());
        MPI_Recv(&datum, 1, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      });
      return result;
    });
    REQUIRE(child.status == 0);
    return child.values[0];
  };
  CHECK(delay(held) - delay(1_us) == static_cast<double>((held - 1_us).ps()));
}

TEST_CASE("a rank that waits for a held emission is no deadlock") {
  Spec spec = plain_machine(2);
  spec.get<NodeParams>().tick_ms = 5;
  constexpr Time held = 200_ms; // many ticks
  const auto child = in_child([&] {
    Bridge bridge("bridge");
    // for a long message: the receiver's grant by interrupt, and an event of the sender's own
    DeferringMonitor monitor(bridge, 2, [=](const Emission& e) {
      const bool slow = e.event.type == EventType::user || e.event.type == EventType::request_arrived;
      return slow ? held : 1_us;
    });
    std::vector<double> result(1);
    run_program_with(bridge, spec, monitor, [&](int rank) {
      std::vector<char> data(512);
      const Time begin = simgrid_now();
      if (rank == 0) {
        hypermon_event(1);
        MPI_Send(data.data(), 512, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        result[0] = (simgrid_now() - begin).seconds();
      } else {
        MPI_Recv(data.data(), 512, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    });
    return result;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  CHECK(child.values[0] > 2 * held.seconds());
}

TEST_CASE("a deadlock is recognised although ticks are held") {
  Spec spec = plain_machine(2);
  spec.get<NodeParams>().tick_ms = 5;
  const auto child = in_child([&] {
    Bridge bridge("bridge");
    DeferringMonitor monitor(bridge, 2, [](const Emission&) { return 2_ms; });
    run_program_with(bridge, spec, monitor, [](int rank) {
      char datum = 0;
      MPI_Recv(&datum, 1, MPI_CHAR, 1 - rank, 7 + rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    });
    return std::vector<double>{};
  });
  CHECK(child.status == 3);
  CHECK(child.errors.find("rank 0 waits for MPI_Recv from rank 1, tag 7") != std::string::npos);
}
