// SPDX-License-Identifier: BSD-3-Clause
// Agents and computers that die and come back at random moments: no reply is lost, none comes twice.
//
//   HYPERMON_TEST_CASES  schedules, instead of those of a CI run (a tenth of 1000)
#include "tests/catch.hpp"
#include "tests/clocks.hpp"
#include "tests/monitors/scms/core/drawn.hpp"
#include "tests/volume.hpp"

using namespace hypermon;
using namespace hypermon::scms;
using namespace hypermon::scms::testing;
using hypermon::testing::cases_wanted;
using hypermon::testing::drawn_clocks;

namespace {

constexpr Time heartbeat = 40_ms;
constexpr Time last_death = 1500_ms;
constexpr Time longest_death = 400_ms;

Design mortal(Random& random) {
  Design design = drawn_design(random, 14);
  design.heartbeat = heartbeat;
  design.missed = 2;
  design.timeout = 60_ms;
  return design;
}

/// Longer than it can take for a request to be answered, with every time-out on its way: up to the root and down.
Time patience(const Design& design) {
  return (3 * design.tree.height(design.tree.root()) + 4) * design.timeout + 2 * design.tree.nodes() * design.timeout;
}

void check_lived_through(const Truth& truth, const World& world) {
  for (std::size_t i = 0; i < world.asked().size(); ++i) {
    const Asked& asked = world.asked()[i];
    CAPTURE(i, index(asked.sma), asked.asked.ps(), static_cast<int>(asked.request.mode), asked.is_broken);
    CHECK(asked.twice == 0);
    CHECK(asked.finals <= 1);
    CHECK(asked.after_final == 0);
    if (asked.is_broken) continue; // the answering SMA is dead
    CHECK(asked.finals == 1);
    if (asked.request.verb == Verb::get) CHECK(asked.rows.size() == asked.request.nodes->size());
    for (const auto& [node, values] : asked.rows)
      for (std::size_t v = 0; v < values.size(); ++v)
        if (values[v].state == State::ok) {
          CHECK(values[v].value == truth.at(node, (*asked.request.resources)[v], values[v].taken));
          CHECK(values[v].taken <= asked.answered);
        }
  }
}

} // namespace

TEST_CASE("no reply is lost and none comes twice under death and rejoin") {
  const std::uint64_t cases = cases_wanted(100);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Design design = mortal(random);
    const Truth truth(seed, 30_ms);
    World world(design, truth, functions, seed, drawn_clocks(random, design.tree.agents(), 100_ms));
    const auto some_sma = [&] {
      return design.tree.sma(static_cast<std::uint32_t>(below(random, design.tree.smas())));
    };
    while (world.now() < last_death) {
      world.run_until(world.now() + Time::from_ns(static_cast<std::int64_t>(below(random, 40'000'000))));
      if (below(random, 3) == 0)
        world.kill(Peer{static_cast<std::uint32_t>(below(random, design.tree.agents()))},
                   1_ms + Time::from_ps(
                              static_cast<std::int64_t>(below(random, static_cast<std::uint64_t>(longest_death.ps())))),
                   flip(random));
      const Peer sma = some_sma();
      if (!world.is_alive(sma)) continue;
      const Mode mode = flip(random) ? Mode::synchronous : Mode::asynchronous;
      world.ask(sma, {.id = 0,
                      .verb = Verb::get,
                      .mode = mode,
                      .nodes = drawn_nodes(random, design.tree.nodes()),
                      .resources = drawn_resources(random)});
    }
    // All are back; adopted agents have returned to their parents, or stay where they are heard.
    world.run_until(last_death + longest_death + 40 * heartbeat);
    CHECK(world.agent(design.tree.root()).live() == design.tree.nodes());
    const std::size_t live = world.ask(design.tree.root(), {.id = 0, .verb = Verb::live, .nodes = {}, .resources = {}});
    const std::size_t all = world.ask(design.tree.root(), {.id = 0,
                                                           .verb = Verb::get,
                                                           .mode = Mode::synchronous,
                                                           .nodes = node_set(nodes_in(design.tree.nodes())),
                                                           .resources = resource_vector({resource(1, 3)})});
    const std::size_t cached = world.ask(design.tree.root(), {.id = 0,
                                                              .verb = Verb::get,
                                                              .mode = Mode::asynchronous,
                                                              .nodes = node_set(nodes_in(design.tree.nodes())),
                                                              .resources = resource_vector({resource(1, 2)})});
    world.run_until(world.now() + patience(design));
    check_lived_through(truth, world);
    CHECK(world.asked()[live].live == nodes_in(design.tree.nodes()));
    for (const std::size_t last : {all, cached})
      for (const auto& [node, values] : world.asked()[last].rows) {
        CAPTURE(hypermon::index(node), last == cached);
        CHECK(values[0].state == State::ok);
      }
    CHECK(world.computers().settled_twice == 0);
    CHECK(world.computers().arrived + world.computers().lost <= world.computers().taken);
  }
}

TEST_CASE("a process that ends is missed as soon as its connection is reset, a computer after its missed heartbeats") {
  for (const bool is_silent : {false, true}) {
    CAPTURE(is_silent);
    Random random(1);
    Design design{.tree = Tree(4, even_partitions(4, 4)), .costs = {}};
    design.heartbeat = heartbeat;
    design.missed = 2;
    design.timeout = 10_ms;
    const Truth truth(1, Time::never());
    World world(design, truth, functions, 1);
    world.run_until(100_ms);
    world.kill(Peer{2}, 1'000'000_us, is_silent);
    world.run_until(102_ms); // a reset takes at most 0.5 ms
    CHECK(world.agent(design.tree.root()).live() == (is_silent ? 4 : 3));
    const auto ask = [&] {
      return world.ask(design.tree.root(), {.id = 0,
                                            .verb = Verb::get,
                                            .mode = Mode::synchronous,
                                            .nodes = node_set(nodes_in(4)),
                                            .resources = resource_vector({resource(1, 0)})});
    };
    const std::size_t early = ask();
    world.run_until(120_ms);
    CHECK(world.asked()[early].rows.at(NodeId{2})[0].state == State::missing);
    CHECK(world.asked()[early].rows.at(NodeId{1})[0].state == State::ok);
    // An agent that is not known to be dead is waited for.
    CHECK((world.asked()[early].answered - world.asked()[early].asked >= 10_ms) == is_silent);
    world.run_until(100_ms + 4 * heartbeat); // two heartbeats are missed, which the next check notices
    CHECK(world.agent(design.tree.root()).live() == 3);
    const std::size_t late = ask();
    world.run_until(world.now() + 5_ms);
    CHECK(world.asked()[late].finals == 1);
    CHECK(world.asked()[late].rows.at(NodeId{2})[0].state == State::missing);
    world.run_until(1'200_ms);
    CHECK(world.agent(design.tree.root()).live() == 4);
  }
}

TEST_CASE("a dead SMA's agents are their grandparent's until it is back") {
  Random random(1);
  Design design{.tree = Tree(8, even_partitions(8, 4)), .costs = {}};
  design.groups = {{10_ms, resource_vector({resource(1, 0)})}};
  design.heartbeat = heartbeat;
  const Truth truth(1, Time::never());
  World world(design, truth, functions, 1);
  const Peer dead = design.tree.sma(1);
  world.run_until(100_ms);
  world.kill(dead, 300_ms, false);
  world.run_until(101_ms);
  const auto cached = [&] {
    const std::size_t asked = world.ask(design.tree.root(), {.id = 0,
                                                             .verb = Verb::get,
                                                             .mode = Mode::asynchronous,
                                                             .nodes = design.tree.below(dead),
                                                             .resources = resource_vector({resource(1, 0)})});
    world.run_until(world.now() + 2_ms);
    return world.asked()[asked].rows;
  };
  world.run_until(150_ms);
  CHECK(world.agent(design.tree.root()).live() == 8); // adopted
  for (const auto& [node, values] : cached()) CHECK(values[0].state == State::ok);
  world.run_until(500_ms);
  CHECK(world.agent(dead).live() == 4); // and back
  CHECK(world.agent(design.tree.root()).live() == 8);
  for (const auto& [node, values] : cached()) {
    CHECK(values[0].state == State::ok);
    CHECK(values[0].taken >= 480_ms); // pushed through it again
  }
}
