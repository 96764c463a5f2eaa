// SPDX-License-Identifier: BSD-3-Clause
// The CPU time of each process of a node, by name: program, competitors and daemons.
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/lan_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/tcp_params.hpp"
#include "platforms/site/run_site.hpp"
#include "tests/catch.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"
#include "tests/random.hpp"

#include <map>

using namespace hypermon;
using namespace hypermon::test;
using hypermon::testing::Random;

namespace {

constexpr Place computer{Place::Kind::beside, 0};

Spec nt_machine(std::int64_t nodes) {
  Spec spec = plain_machine(nodes);
  spec.get<MachineParams>().messages = hypermon::Messages::smpi;
  spec.get<MachineParams>().topology = Topology::star;
  spec.get<MachineParams>().beside = 1;
  spec.get<CpuParams>().policy = CpuPolicy::time_slices;
  spec.get<CpuParams>().waiting = WaitingRank::poll;
  return spec;
}

/// Runs the program beside the daemons that `start` starts.
void run_with(const Spec& spec, const std::function<void(int)>& program, const std::function<void(Site&)>& start) {
  NoMonitor monitor;
  std::unique_ptr<RunSite> run;
  run_program(spec, monitor, program, [&](Machine& machine) {
    run = std::make_unique<RunSite>(spec, machine, operating_system(), mpi_layer(), "");
    start(run->site());
  });
}

} // namespace

TEST_CASE("what processes have had and the kernel took is what a node's processors did, at any date") {
  const auto seed = GENERATE(range<std::uint64_t>(1, 9));
  CAPTURE(seed);
  const auto child = in_child([seed] {
    Random r(seed);
    Spec spec = nt_machine(2);
    spec.get<CpuParams>().processors = r.between(1, 2);
    spec.get<CpuParams>().quantum_ms = static_cast<double>(r.between(1, 5));
    auto& competitors = spec.get<CompetitorSection>();
    competitors.count = 2;
    competitors.nodes = "1"; // node 0 has no competitors
    competitors.own(0).name = "hog";
    competitors.own(0).threads = r.between(1, 3);
    competitors.own(0).begin_s = 0.01;
    competitors.own(0).end_s = 0.06;
    competitors.own(1).busy_ms = 2.0;
    competitors.own(1).sleep_ms = 3.0;
    std::vector<double> wrong;
    double looks = 0;
    std::map<std::string, double> last;
    const auto program = [&](int rank) {
      for (int step = 0; step < 10; ++step) {
        hypermon_compute(1, (rank + 1) * 2e6);
        MPI_Barrier(MPI_COMM_WORLD);
      }
    };
    run_with(spec, program, [&](Site& site) {
      Counters& counters = site.counters();
      const CounterId cpu = counters.want("process.cpu", "test");
      std::map<std::string, CounterId> ids;
      for (const char* name : {"cpu.user", "cpu.kernel", "cpu.emission", "cpu.busy"})
        ids[name] = counters.want(name, "test");
      for (std::uint32_t n = 0; n < 2; ++n)
        site.daemon(
            Place::node(NodeId{n}), "service",
            [](Daemon& self) {
              for (;;) self.sleep_until(self.now() + 1_us * 700), self.compute(100_us);
            },
            "test");
      site.daemon(
          computer, "reader",
          [&, ids, cpu, seed](Daemon& self) {
            Random at(seed + 5);
            for (;;) {
              self.sleep_until(self.now() + Time::from_ns(at.below(3'000'000)));
              const Time now = self.now();
              for (std::uint32_t n = 0; n < 2; ++n) {
                const auto value = [&](const char* name) {
                  return static_cast<double>(counters.read(NodeId{n}, {}, ids.at(name), now));
                };
                const auto names = counters.items(cpu);
                double sum = 0;
                std::map<std::string, double> by_name;
                for (std::uint32_t i = 0; i < names.size(); ++i)
                  sum += by_name[names[i]] = static_cast<double>(counters.read(NodeId{n}, {0, i}, cpu, now));
                if (by_name["program"] != value("cpu.user")) wrong.push_back(1);
                if (n == 0) {
                  if (by_name["hog"] + by_name["competitor[1]"] > 0) wrong.push_back(2);
                  // the service is the kernel's only work there
                  if (by_name["service"] != value("cpu.kernel")) wrong.push_back(3);
                } else {
                  if (sum + value("cpu.kernel") + value("cpu.emission") != value("cpu.busy")) wrong.push_back(4);
                  if (now < 10'000_us && by_name["hog"] > 0) wrong.push_back(5);
                  if (now > 60'000_us) { // it has ended
                    if (last.contains("hog") && last["hog"] != by_name["hog"]) wrong.push_back(6);
                    if (by_name["hog"] == 0 || by_name["competitor[1]"] == 0) wrong.push_back(7);
                    last = by_name;
                  }
                }
              }
              ++looks;
            }
          },
          "test");
    });
    wrong.push_back(looks);
    return wrong;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  CAPTURE(child.values);
  CHECK(child.values.size() == 1);
  CHECK(child.values.back() > 20);
}

TEST_CASE("two processors in turn: three busy threads and a rank that polls have three and one quarter of both") {
  const auto child = in_child([] {
    Spec spec = nt_machine(1);
    spec.get<CpuParams>().processors = 2;
    spec.get<CpuParams>().quantum_ms = 1;
    spec.get<CpuParams>().context_switch_us = 0;
    spec.get<CompetitorSection>().count = 1;
    spec.get<CompetitorSection>().threads = 3;
    spec.get<CompetitorSection>().name = "hog";
    std::vector<double> values;
    run_with(
        spec, [](int) { hypermon_compute(1, 500e6); },
        [&](Site& site) {
          const CounterId cpu = site.counters().want("process.cpu", "test");
          site.daemon(
              computer, "reader",
              [&, cpu](Daemon& self) {
                self.sleep_until(400'000_us);
                for (const char* name : {"program", "hog"})
                  values.push_back(static_cast<double>(
                      site.counters().read(NodeId{0}, {0, site.counters().item(cpu, name, "test")}, cpu, self.now())));
              },
              "test");
        });
    return values;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{200e9, 600e9});
}

TEST_CASE("runnable are ranks that compute, threads that are awake and daemons at work, shared processors or not") {
  for (const bool shared : {false, true}) {
    const auto child = in_child([shared] {
      Spec spec = nt_machine(2);
      spec.get<CpuParams>().waiting = WaitingRank::block;
      spec.get<CompetitorSection>().count = shared ? 1 : 0;
      spec.get<CompetitorSection>().threads = 3;
      spec.get<CompetitorSection>().end_s = 0.025;
      spec.get<CpuParams>().quantum_ms = 0.1; // so that rank 0 reaches its barrier
      std::vector<double> values;
      run_with(
          spec,
          [](int rank) { // the other one waits for rank 1, which computes for 20 ms at least
            if (rank == 1) hypermon_compute(1, 20e6);
            MPI_Barrier(MPI_COMM_WORLD);
          },
          [&](Site& site) {
            const CounterId runnable = site.counters().want("os.runnable", "test");
            const auto read = [&, runnable](Daemon& self, NodeId node) {
              values.push_back(static_cast<double>(site.counters().read(node, {0, 0}, runnable, self.now())));
            };
            site.daemon(
                Place::node(NodeId{0}), "worker",
                [](Daemon& self) {
                  self.sleep_until(8'000_us);
                  self.compute(1'000_us);
                },
                "test");
            site.daemon(
                computer, "reader",
                [&, read](Daemon& self) {
                  for (const std::int64_t us : {5000, 8500}) {
                    self.sleep_until(us * 1_us);
                    for (const NodeId node : {NodeId{0}, NodeId{1}}) read(self, node);
                  }
                },
                "test");
          });
      return values;
    });
    INFO(child.errors);
    REQUIRE(child.status == 0);
    const double others = shared ? 3 : 0;
    CHECK(child.values == std::vector<double>{others, others + 1, others + 1, others + 1});
  }
}

TEST_CASE("segments of connections interrupt the program on both nodes, if they take CPU time") {
  const auto elapsed = [](double segment_us) {
    const auto child = in_child([segment_us] {
      Spec spec = nt_machine(2);
      spec.get<LanSection>().count = 1;
      spec.get<TcpParams>().segment_us = segment_us;
      std::vector<double> ends;
      run_with(
          spec,
          [&](int) {
            hypermon_compute(1, 20e6);
            ends.push_back(static_cast<double>(simgrid_now().ps()));
          },
          [&](Site& site) {
            site.daemon(
                Place::node(NodeId{0}), "sender",
                [&](Daemon& self) {
                  self.stream(site.network("ethernet", "test"), 1, {Place::node(NodeId{1}), 1}, {14600});
                },
                "test");
            site.daemon(
                Place::node(NodeId{1}), "receiver", [](Daemon& self) { self.receive(1); }, "test");
          });
      return ends;
    });
    INFO(child.errors);
    REQUIRE(child.status == 0);
    return child.values;
  };
  const auto free = elapsed(0);
  const auto costly = elapsed(30);
  REQUIRE(free.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) CHECK(costly[i] - free[i] == 10 * 30e6); // ten full segments
}
