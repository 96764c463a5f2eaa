// SPDX-License-Identifier: BSD-3-Clause
// Daemons of monitors: they sample, send and disturb as they say, end with the program, and hide no deadlock.
#include "base/json_value.hpp"
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/lan_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/params.hpp"
#include "platforms/site/run_site.hpp"
#include "tests/catch.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"
#include "tests/random.hpp"

#include <simgrid/engine.h>

#include <map>

using namespace hypermon;
using namespace hypermon::test;
using hypermon::testing::Random;

namespace {

double in_ps(Time t) { return static_cast<double>(t.ps()); }
constexpr Place beside{Place::Kind::beside, 0};

/// A machine with a second network and a computer on it.
Spec monitored_machine(std::int64_t nodes) {
  Spec spec = plain_machine(nodes);
  spec.get<LanSection>().count = 1;
  spec.get<MachineParams>().beside = 1;
  return spec;
}

/// Records the begin of each MPI call of each rank.
class Begins : public MpiObserver {
public:
  void enter(const RankState& rank, const MpiCall& call) override {
    if (call.function() == MpiFunction::Barrier) times[rank.rank].push_back(simgrid_now());
  }
  void leave(const RankState&, const MpiCall&) override {}
  std::map<int, std::vector<Time>> times;
};

void compute_and_meet(int rank, int times) {
  Random r(static_cast<std::uint64_t>(rank) + 1);
  for (int i = 0; i < times; ++i) {
    hypermon_compute(1, static_cast<double>(r.below(20'000'000)));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// Runs `program` beside the actors that `start` starts; `finish` returns the results.
std::vector<double> run_beside(const Spec& spec, const std::function<void(int)>& program,
                               const std::function<void(RunSite&)>& start,
                               const std::function<std::vector<double>(RunSite&)>& finish) {
  NoMonitor monitor;
  std::unique_ptr<RunSite> run;
  std::vector<double> found;
  run_program(
      spec, monitor, program,
      [&](Machine& machine) {
        run = std::make_unique<RunSite>(spec, machine, operating_system(), mpi_layer(), "");
        start(*run);
      },
      [&] { found = finish(*run); });
  return found;
}

/// A poller on every node: in every `period` it samples how many barriers began, and sends that to the computer beside
/// the machine. The arrivals are recorded.
struct Arrived {
  Sample sample;
  Time at;
};
void poll(RunSite& run, std::vector<Arrived>& arrived, Time period, std::int64_t bytes) {
  Site& site = run.site();
  const CounterId calls = site.counters().want("mpi.calls", "test");
  const auto barrier = site.counters().item(calls, "MPI_Barrier", "test");
  const NetworkId lan = site.network("ethernet", "test");
  for (std::uint32_t n = 0; n < site.nodes(); ++n)
    site.daemon(
        Place::node(NodeId{n}), "poller" + std::to_string(n),
        [=, &site](Daemon& self) {
          for (Time next = period;; next += period) {
            self.sleep_until(next);
            const NodeId node{n};
            const Sample sample =
                site.samples().take(node, {0, barrier}, calls, self.now(), site.clock(node).read(self.now()));
            self.send(lan, {beside, 5}, bytes, sample);
          }
        },
        "test");
  site.daemon(
      beside, "collector",
      [&site, &arrived](Daemon& self) {
        while (const auto datagram = self.receive(5)) {
          const auto sample = std::any_cast<Sample>(datagram->content);
          site.samples().arrive(sample, self.now());
          arrived.push_back({sample, self.now()});
        }
      },
      "test");
}

} // namespace

TEST_CASE("every sample that arrives shows what was true when it was taken, in order, and none is unaccounted for") {
  const auto seed = GENERATE(range<std::uint64_t>(1, 7));
  CAPTURE(seed);
  const auto child = in_child([seed] {
    Random r(seed);
    const auto nodes = r.pick({1, 2, 4, 8});
    const Time period = Time::from_ns(r.between(500'000, 9'000'000));
    const std::int64_t bytes = r.pick({10, 1000, 50'000});
    const Time linger = r.one_in(2) ? 50_ms : Time{};
    Spec spec = monitored_machine(nodes);
    spec.get<NodeParams>() = Spec().get<NodeParams>();
    spec.get<MachineParams>().messages = r.one_in(3) ? hypermon::Messages::smpi : hypermon::Messages::nx2;
    Begins begins;
    std::vector<Arrived> arrived;
    return run_beside(
        spec, [](int rank) { compute_and_meet(rank, 20); },
        [&](RunSite& run) {
          mpi_layer().observers.add(begins);
          poll(run, arrived, period, bytes);
          if (linger > Time{}) run.site().linger(linger);
        },
        [&](RunSite& run) {
          double wrong = 0;
          std::map<NodeId, Time> last_taken;
          Time last;
          for (const auto& [sample, at] : arrived) {
            const auto& began = begins.times[static_cast<int>(index(sample.node))];
            const auto expected = std::upper_bound(began.begin(), began.end(), sample.taken) - began.begin();
            wrong +=
                sample.value != expected || at < last || at <= sample.taken || sample.taken < last_taken[sample.node];
            wrong += sample.stamped != run.site().clock(sample.node).read(sample.taken);
            last_taken[sample.node] = sample.taken;
            last = at;
          }
          const Ledger ledger = run.samples().ledger();
          const auto ticks = (program_run().program_end() + linger) / period;
          return std::vector<double>{wrong,
                                     static_cast<double>(arrived.size()),
                                     static_cast<double>(ledger.delivered.units),
                                     static_cast<double>(ledger.generated.units),
                                     static_cast<double>(ledger.delivered.units + ledger.in_flight.units),
                                     static_cast<double>(ticks * nodes)};
        });
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  const auto& v = child.values;
  CHECK(v[0] == 0);
  CHECK(v[1] > 10);
  CHECK(v[2] == v[1]);
  CHECK(v[3] == v[4]);
  CHECK(v[3] <= v[5]); // one in each period, unless the previous one is still being sent
}

TEST_CASE("what daemons take of the machine is what they computed, keep and sent, by nodes and other computers") {
  const auto child = in_child([] {
    constexpr std::int64_t nodes = 4;
    constexpr std::int64_t times = 7;
    constexpr std::int64_t bytes = 1000;
    return run_beside(
        monitored_machine(nodes), [](int rank) { compute_and_meet(rank, 20); },
        [&](RunSite& run) {
          Site& site = run.site();
          const NetworkId lan = site.network("ethernet", "test");
          for (std::uint32_t n = 0; n < nodes; ++n) {
            site.working_set(Place::node(NodeId{n}), "worker", 100);
            site.footprint().keep(Place::node(NodeId{n}), n);
            site.daemon(
                Place::node(NodeId{n}), "worker",
                [=](Daemon& self) {
                  for (std::int64_t i = 0; i < times; ++i) {
                    self.compute(Time::from_ns(1000 * (n + 1)));
                    self.send(lan, {beside, 5}, bytes);
                  }
                },
                "test");
          }
          site.daemon(
              beside, "collector",
              [](Daemon& self) {
                while (self.receive(5)) self.compute(Time::from_ns(500));
              },
              "test");
        },
        [&](RunSite& run) {
          Json result;
          Results results(result);
          run.report(results);
          const auto& found = result.at("footprint");
          const auto& lan = found.at("networks").at(0);
          return std::vector<double>{found.at("nodes").at("cpu_s").get<double>(),
                                     found.at("nodes").at("busiest_cpu_s").get<double>(),
                                     found.at("others").at("cpu_s").get<double>(),
                                     found.at("nodes").at("memory_bytes").get<double>(),
                                     found.at("nodes").at("fullest_memory_bytes").get<double>(),
                                     found.at("others").at("memory_bytes").get<double>(),
                                     found.at("stored_bytes").get<double>(),
                                     static_cast<double>(found.at("networks").size()),
                                     lan.at("bytes").get<double>(),
                                     lan.at("packets").get<double>()};
        });
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  const auto& v = child.values;
  CHECK(v[0] == Approx(7 * (1 + 2 + 3 + 4) * 1e-6));
  CHECK(v[1] == Approx(7 * 4 * 1e-6));
  CHECK(v[2] == Approx(4 * 7 * 0.5e-6));
  CHECK(v[3] == 4 * 100 + (0 + 1 + 2 + 3));
  CHECK(v[4] == 103);
  CHECK(v[5] == 0);
  CHECK(v[6] == 0);
  CHECK(v[7] == 1);
  CHECK(v[8] == 4 * 7 * 1000);
  CHECK(v[9] == 4 * 7);
}

TEST_CASE("a monitor that takes nothing of the machine has no footprint") {
  const auto child = in_child([] {
    return run_beside(
        monitored_machine(2), [](int rank) { compute_and_meet(rank, 3); }, [](RunSite&) {},
        [](RunSite& run) {
          Json result;
          Results results(result);
          run.report(results);
          return std::vector<double>{result.contains("footprint") ? 1.0 : 0.0};
        });
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{0});
}

TEST_CASE("daemons end with the program, wherever they wait, and what they hold is given back") {
  const auto child = in_child([] {
    struct Held {
      int& count;
      explicit Held(int& c) : count(c) { ++count; }
      ~Held() { --count; }
    };
    int held = 0;
    int most = 0;
    return run_beside(
        monitored_machine(2), [](int rank) { compute_and_meet(rank, 3); },
        [&](RunSite& run) {
          for (const bool sleeps : {true, false})
            run.site().daemon(
                beside, "waits",
                [&, sleeps](Daemon& self) {
                  const Held own(held);
                  most = std::max(most, held);
                  sleeps ? self.sleep_until(1000000_ms) : void(self.receive(2));
                },
                "test");
        },
        [&](RunSite&) {
          return std::vector<double>{static_cast<double>(most), static_cast<double>(held),
                                     simgrid_get_clock() < 1 ? 1.0 : 0.0};
        });
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{2, 0, 1});
}

TEST_CASE("a program that deadlocks beside daemons that go on for ever is reported") {
  for (const auto messages : {hypermon::Messages::nx2, hypermon::Messages::smpi}) {
    CAPTURE(word(messages));
    const auto child = in_child([&] {
      Spec spec = monitored_machine(2);
      spec.get<NodeParams>().tick_ms = 50;
      spec.get<MachineParams>().messages = messages;
      std::vector<Arrived> arrived;
      return run_beside(
          spec,
          [](int rank) {
            int data = 0;
            if (rank == 0) MPI_Recv(&data, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          },
          [&](RunSite& run) { poll(run, arrived, 3_ms, 5000); }, [](RunSite&) { return std::vector<double>{}; });
    });
    CHECK(child.status == 3);
    CHECK(child.errors.find("the program deadlocked at") != std::string::npos);
    CHECK(child.errors.find("rank 0 waits for MPI_Recv") != std::string::npos);
  }
}

TEST_CASE("a place that does not exist is refused, and what goes wrong in a daemon ends the run") {
  const auto run_with = [](const std::function<void(Site&)>& start) {
    return in_child([&] {
      return run_beside(
          monitored_machine(2), [](int rank) { compute_and_meet(rank, 2); }, [&](RunSite& run) { start(run.site()); },
          [](RunSite&) { return std::vector<double>{}; });
    });
  };
  const auto nowhere = run_with([](Site& site) {
    try {
      site.daemon(
          Place::node(NodeId{7}), "d", [](Daemon&) {}, "poller.node");
    } catch (const UserError& error) {
      fail_user(error);
    }
  });
  CHECK(nowhere.status == 2);
  CHECK(nowhere.errors.find("poller.node: ") != std::string::npos);
  const auto user = run_with([](Site& site) {
    site.daemon(
        beside, "d", [](Daemon&) { throw UserError("poller.x = 3: must be 2"); }, "p");
  });
  CHECK(user.status == 2);
  CHECK(user.errors == "error: poller.x = 3: must be 2\n");
  const auto other = run_with([](Site& site) {
    site.daemon(
        beside, "polls", [](Daemon&) { throw std::runtime_error("it broke"); }, "p");
  });
  CHECK(other.status == 3);
  CHECK(other.errors.find("the monitor's daemon polls failed: it broke") != std::string::npos);
}

/// Results in ms: the time at which a daemon on node 0, which requests 30 ms at 20 ms, has got them; the work of the
/// node until then; and the end of the program, which computes 100 ms on each rank.
std::vector<double> beside_ranks(const Spec& spec) {
  const auto child = in_child([&spec] {
    std::vector<double> seen;
    const auto note = [&seen](Time t) { seen.push_back(t.seconds() * 1e3); };
    return run_beside(
        spec, [](int) { hypermon_compute(1, 100'000'000); },
        [&](RunSite& run) {
          Counters& counters = run.site().counters();
          const CounterId user = counters.want("cpu.user", "test");
          const CounterId busy = counters.want("cpu.busy", "test");
          run.site().daemon(
              Place::node(NodeId{0}), "d",
              [&, user, busy](Daemon& self) {
                self.sleep_until(20_ms);
                self.compute(30_ms);
                note(self.now());
                note(Time::from_ps(counters.read(NodeId{0}, {}, user, self.now())));
                note(Time::from_ps(counters.read(NodeId{0}, {}, busy, self.now())));
              },
              "test");
        },
        [&](RunSite&) {
          note(program_run().program_end());
          return seen;
        });
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  REQUIRE(child.values.size() == 4);
  return child.values;
}

TEST_CASE(
    "a daemon takes turns with the rank of a node that is shared, on others, and under kernel_first, it goes first") {
  Spec spec = monitored_machine(1);
  spec.get<MachineParams>().messages = hypermon::Messages::smpi;
  const auto is = [](double expected) { return Approx(expected).margin(0.05); };
  const auto alone = beside_ranks(spec);
  CHECK(alone[0] == is(50));
  CHECK(alone[1] == is(20));
  CHECK(alone[2] == is(50));
  CHECK(alone[3] == is(130));

  Spec shared = spec;
  shared.get<CpuParams>().policy = CpuPolicy::time_slices;
  shared.get<CpuParams>().quantum_ms = 10;
  shared.get<CpuParams>().context_switch_us = 0;
  shared.get<CompetitorSection>().count = 1;
  shared.get<CompetitorSection>().begin_s = 1e5; // no competitor has begun yet
  const auto turns = beside_ranks(shared);       // the rank's quantum ends at 20 or 30 ms, then each has 10 ms in turn
  CHECK(turns[0] >= 69.9);
  CHECK(turns[0] <= 80.1);
  CHECK(turns[1] == is(turns[0] - 30));
  CHECK(turns[2] == is(turns[0]));
  CHECK(turns[3] == is(130));

  spec.get<CpuParams>().ranks_per_node = 2;
  spec.get<CpuParams>().context_switch_us = 0;
  const auto first = beside_ranks(spec);
  CHECK(first[0] == is(50));
  CHECK(first[2] == is(50));
  CHECK(first[3] == is(230));
}

TEST_CASE("context switches are the scheduler's own, of each processor, and none where nobody shares the node") {
  const auto at_45_ms = [](std::int64_t kinds) {
    Spec spec = monitored_machine(1);
    spec.get<MachineParams>().messages = Messages::smpi;
    spec.get<CpuParams>().policy = CpuPolicy::time_slices;
    spec.get<CpuParams>().quantum_ms = 10;
    spec.get<CpuParams>().processors = 2;
    spec.get<CpuParams>().rank_processors = "1";
    spec.get<CompetitorSection>().count = kinds;
    spec.get<CompetitorSection>().processors = "1";
    const auto child = in_child([&spec] {
      std::vector<double> seen;
      return run_beside(
          spec, [](int) { hypermon_compute(1, 100'000'000); },
          [&](RunSite& run) {
            Counters& counters = run.site().counters();
            const CounterId switches = counters.want("os.context_switches", "test");
            run.site().daemon(
                beside, "looks",
                [&, switches](Daemon& self) {
                  self.sleep_until(45_ms);
                  seen.push_back(counters.parts(switches, NodeId{0}));
                  for (std::uint32_t p = 0; p < 3; ++p)
                    seen.push_back(static_cast<double>(counters.read(NodeId{0}, {p, 0}, switches, self.now())));
                },
                "test");
          },
          [&](RunSite&) { return seen; });
    });
    INFO(child.errors);
    REQUIRE(child.status == 0);
    return child.values;
  };
  CHECK(at_45_ms(0) == std::vector<double>{2, 0, 0, 0});
  CHECK(at_45_ms(1) == std::vector<double>{2, 0, 4, 0}); // in turns of 10 ms, on the second processor
}

TEST_CASE("the interface counters of a node include the traffic of its daemons on each network") {
  const auto child = in_child([] {
    Spec spec = monitored_machine(2);
    std::vector<CounterId> wanted;
    return run_beside(
        spec, [](int) { hypermon_compute(1, 100'000'000); },
        [&](RunSite& run) {
          Site& site = run.site();
          wanted = site.counters().want_all(
              "network.bytes_sent network.packets_sent network.bytes_received network.packets_received", "test");
          site.daemon(
              Place::node(NodeId{0}), "sends",
              [&site](Daemon& self) {
                for (const std::int64_t bytes : {1000, 200, 30})
                  self.send(site.network("ethernet", "test"), {Place::node(NodeId{1}), 5}, bytes, {});
                self.send(site.network(Spec().get<NetworkParams>().name, "test"), {Place::node(NodeId{1}), 5}, 4, {});
              },
              "test");
        },
        [&](RunSite& run) {
          std::vector<double> found;
          const Counters& counters = run.site().counters();
          for (const std::uint32_t node : {0U, 1U})
            for (const std::uint32_t network : {0U, 1U, 2U})
              for (const CounterId counter : wanted)
                found.push_back(static_cast<double>(counters.read(NodeId{node}, {network, 0}, counter, simgrid_now())));
          found.push_back(counters.parts(wanted.front(), NodeId{0}));
          return found;
        });
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  // Each node has values for the program's network, the LAN, and a network that does not exist.
  CHECK(child.values == std::vector<double>{4, 1, 0, 0, 1230, 3, 0,    0, 0, 0, 0, 0, //
                                            0, 0, 4, 1, 0,    0, 1230, 3, 0, 0, 0, 0, 2});
}

TEST_CASE("without a program, daemons live until the end that was said, and ranks there are none") {
  const auto child = in_child([] {
    Spec spec = monitored_machine(2);
    NoMonitor monitor;
    TestEngine engine(spec);
    Machine machine(spec);
    Processors processors(spec);
    OperatingSystem os(spec, machine, processors, monitor, false);
    MpiLayer mpi(os);
    SMPI_init();
    os.program.run_idle(250_ms);
    os.start();
    RunSite run(spec, machine, os, mpi, "");
    std::vector<double> seen;
    run.site().daemon(
        Place::node(NodeId{1}), "d",
        [&seen](Daemon& self) {
          for (;;) {
            self.sleep_until(self.now() + 100_ms);
            seen.push_back(in_ps(self.now()));
          }
        },
        "test");
    engine.run();
    seen.push_back(in_ps(os.program.program_end()));
    seen.push_back(os.ranks.world_size());
    SMPI_finalize();
    return seen;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{in_ps(100_ms), in_ps(200_ms), in_ps(250_ms), 0});
}
