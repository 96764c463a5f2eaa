// SPDX-License-Identifier: BSD-3-Clause
// Programs on nodes with memory: what they miss, how long they wait for it, and that all is as before where there is
// room.
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/machine_params.hpp"
#include "hw/machine/memory.hpp"
#include "hw/machine/memory_params.hpp"
#include "platforms/site/run_site.hpp"
#include "tests/catch.hpp"
#include "tests/machine/in_child.hpp"
#include "tests/machine/program.hpp"

#include <simgrid/s4u/Actor.hpp>

extern "C" void hypermon_set_working_set(long long bytes);

using namespace hypermon;
using namespace hypermon::test;

namespace {

Spec machine_with(double mb, hypermon::Messages messages = hypermon::Messages::smpi) {
  Spec spec = plain_machine(2);
  spec.get<MachineParams>().messages = messages;
  auto& memory = spec.get<MemoryParams>();
  memory.node_mb = mb;
  memory.page_bytes = 10'000;
  memory.sweep_mb_per_s = 10; // 1000 pages a second
  memory.read_ms = 3;
  memory.touch_us = 5;
  return spec;
}

/// Each rank works on 40 MB for a second. Returns the elapsed time of rank 1, then faults, pages read, and waiting
/// time; available and resident memory at half a second.
std::vector<double> run_with(const Spec& spec) {
  const auto child = in_child([&] {
    NoMonitor monitor;
    std::unique_ptr<RunSite> run;
    std::vector<double> values;
    const auto ranks = run_program(
        spec, monitor,
        [&](int rank) {
          hypermon_set_working_set(40'000'000);
          hypermon_compute(1, 1e9);
          if (rank == 0) return;
          MPI_Barrier(MPI_COMM_SELF);
        },
        [&](Machine& machine) {
          run = std::make_unique<RunSite>(spec, machine, operating_system(), mpi_layer(), "");
          if (spec.get<MemoryParams>().node_mb.number == 0) return;
          Counters& counters = run->site().counters();
          const CounterId working_set = counters.want("memory.working_set", "test");
          const CounterId available = counters.want("memory.available", "test");
          simgrid::s4u::Actor::init("reader", machine.node(NodeId{0}))->start([&, working_set, available] {
            simgrid::s4u::this_actor::sleep_until(0.5);
            for (const CounterId id : {working_set, available})
              values.push_back(static_cast<double>(counters.read(NodeId{1}, {}, id, simgrid_now())));
          });
        },
        [&] {
          const RankState& rank = rank_table().all()[1];
          if (const NodeMemory* memory = operating_system().memories.find(NodeId{1}))
            values.insert(values.end(), {static_cast<double>(memory->faults(0)), static_cast<double>(memory->reads(0)),
                                         rank.computation.paging.seconds()});
        });
    values.push_back((ranks[1].end - ranks[1].begin).seconds());
    return values;
  });
  INFO(child.errors);
  REQUIRE(child.status == 0);
  return child.values;
}

constexpr double touches = 4000 * 5e-6;

} // namespace

TEST_CASE("a working set that has room costs its first touches, one that has not, a wait for each page it misses") {
  const auto messages = GENERATE(hypermon::Messages::nx2, hypermon::Messages::smpi);
  const double without = run_with(machine_with(0, messages)).front();
  const auto fits = run_with(machine_with(50, messages));
  REQUIRE(fits.size() == 6);
  CHECK(std::vector(fits.begin(), fits.begin() + 5) == std::vector<double>{40e6, 10e6, 4000, 0, 0});
  CHECK(fits.back() == Approx(without + touches).epsilon(1e-12));
  const auto pages = run_with(machine_with(30, messages)); // a quarter is missing: 250 pages a second
  CHECK(pages[0] == 30e6);
  CHECK(pages[1] == 0);
  const double missed = std::floor(250 * (1 + touches)); // first touches are computing, too
  CHECK(std::vector(pages.begin() + 2, pages.begin() + 5) == std::vector<double>{4000 + missed, missed, missed * 3e-3});
  CHECK(pages.back() == Approx(fits.back() + missed * 3e-3).epsilon(1e-12));
}

TEST_CASE("a competitor's memory makes the node where it is page, while it is there") {
  Spec spec = machine_with(50);
  spec.get<CpuParams>().policy = CpuPolicy::time_slices;
  spec.get<CpuParams>().processors = 2;
  spec.get<CpuParams>().context_switch_us = 0;
  auto& competitor = spec.get<CompetitorSection>();
  competitor.count = 1;
  competitor.nodes = "1";
  competitor.memory_mb = 60;
  competitor.begin_s = 0.2 + touches;
  competitor.end_s = 1e4;
  const auto pages = run_with(spec); // from then on, half of 100 MB is missing: 0.8 s with 500 pages per second
  CHECK(pages[0] == 20e6);
  CHECK(pages[3] == Approx(400).margin(6)); // a stretch of 10 ms are five
  CHECK(pages[4] == Approx(pages[3] * 3e-3));
  CHECK(pages.back() == Approx(1 + touches + pages[4]).epsilon(1e-9));
  competitor.end_s = 0.3 + touches; // while it pages, 10 ms of work take 25 ms: four stretches of five pages
  const auto little = run_with(spec);
  CHECK(little[3] == Approx(20).margin(6));
}

TEST_CASE("counters of memory are refused where it is not modelled") {
  const auto child = in_child([]() -> std::vector<double> {
    NoMonitor monitor;
    double refused = 0;
    std::unique_ptr<RunSite> run;
    const Spec spec = machine_with(0);
    run_program(
        spec, monitor, [](int) { hypermon_set_working_set(1000); },
        [&](Machine& machine) {
          run = std::make_unique<RunSite>(spec, machine, operating_system(), mpi_layer(), "");
          for (const char* name : {"memory.working_set", "process.working_set"}) try {
              run->site().counters().want(name, "poller.counters");
            } catch (const UserError& error) {
              const std::string message = error.what();
              refused +=
                  message.find("memory.node_mb = 0: the nodes' memory is not modelled") != std::string::npos ? 1 : 0;
            }
        });
    return {refused};
  });
  REQUIRE(child.status == 0);
  CHECK(child.values == std::vector<double>{2});
}
