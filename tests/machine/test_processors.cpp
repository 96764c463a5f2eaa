// SPDX-License-Identifier: BSD-3-Clause
// Actors on a node's processors: SimGrid's times are those of hw/machine/cpu.hpp.
#include "hw/machine/cpu_params.hpp"
#include "hw/machine/processors.hpp"
#include "tests/machine/engine.hpp"
#include "tests/machine/in_child.hpp"

#include "tests/catch.hpp"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>

using namespace hypermon;
using namespace hypermon::test;
namespace sg4 = simgrid::s4u;

namespace {

constexpr NodeId node{1};

/// Two nodes, slices of 10 ms, no cost of a switch.
std::vector<double> simulated(const std::function<void(Processors&, sg4::Host*, std::vector<double>&)>& start) {
  const auto child = in_child([&] {
    Spec spec;
    spec.nodes = 2;
    spec.get<CpuParams>().policy = CpuPolicy::time_slices;
    spec.get<CpuParams>().quantum_ms = 10;
    spec.get<CpuParams>().context_switch_us = 0;
    TestEngine engine(spec);
    const Machine machine(spec);
    Processors processors(spec);
    std::vector<double> dates;
    start(processors, machine.node(node), dates);
    engine.run();
    return dates;
  });
  REQUIRE(child.status == 0);
  return child.values;
}

} // namespace

TEST_CASE("two actors on one processor take turns, and each is told its own end") {
  const auto ends = simulated([](Processors& processors, sg4::Host* host, std::vector<double>& dates) {
    dates.resize(3);
    for (std::size_t i = 0; i < 2; ++i)
      sg4::Actor::init("a" + std::to_string(i), host)->start([&processors, &dates, i] {
        const TaskId task = processors.add(node, {.name = "a"});
        processors.compute(node, task, 15_ms);
        processors.compute(node, task, 10_ms); // at the same date: the task continues
        dates[i] = sg4::Engine::get_clock();
        dates[2] += processors.cpu(node).used(task).seconds();
      });
  });
  // a0 0-10, a1 10-20, a0 20-30, a1 30-40, a0 40-45, a1 45-50
  CHECK(ends[0] == Approx(0.045).margin(1e-12));
  CHECK(ends[1] == Approx(0.050).margin(1e-12));
  CHECK(ends[2] == Approx(0.050).margin(1e-12));
}

TEST_CASE("an actor that is killed while it computes leaves its processor to others") {
  const auto ends = simulated([](Processors& processors, sg4::Host* host, std::vector<double>& dates) {
    dates.resize(1);
    const auto victim = sg4::Actor::init("victim", host)->start([&processors] {
      processors.compute(node, processors.add(node, {.name = "victim", .priority = 1}), 100_ms);
    });
    sg4::Actor::init("other", host)->start([&processors, &dates] {
      processors.compute(node, processors.add(node, {.name = "other"}), 20_ms);
      dates[0] = sg4::Engine::get_clock();
    });
    sg4::Actor::init("killer", host)->start([victim] {
      sg4::this_actor::sleep_for(0.030);
      victim->kill();
    });
  });
  CHECK(ends[0] == Approx(0.050).margin(1e-12));
}

TEST_CASE("a task that polls sets no timer, and the simulation ends without it") {
  const auto ends = simulated([](Processors& processors, sg4::Host* host, std::vector<double>& dates) {
    dates.resize(2);
    sg4::Actor::init("poller", host)->start([&processors, &dates] {
      const TaskId task = processors.add(node, {.name = "poller"});
      processors.poll(node, task);
      sg4::this_actor::sleep_for(0.007);
      dates[0] = processors.cpu(node).used(task).seconds();
      dates[1] = processors.is_shared(NodeId{0}) ? 1 : 0;
    });
  });
  CHECK(ends[0] == Approx(0.007).margin(1e-12));
  CHECK(ends[1] == 0);
}
