// SPDX-License-Identifier: BSD-3-Clause
// What clients are answered, against a naive model of it: every node once, with what is true there; whatever the
// techniques.
//
//   HYPERMON_TEST_CASES  designs to compare, instead of those of a CI run
#include "tests/catch.hpp"
#include "tests/clocks.hpp"
#include "tests/monitors/scms/core/drawn.hpp"
#include "tests/volume.hpp"

#include <algorithm>

using namespace hypermon;
using namespace hypermon::scms;
using namespace hypermon::scms::testing;
using hypermon::testing::cases_wanted;
using hypermon::testing::drawn_clocks;

namespace {

/// Naive: what a request has to be answered for a node, all agents alive, everything collected.
State expected(const Design& design, Peer sma, const Request& request, NodeId node, Resource wanted) {
  const auto& below_it = *design.tree.below(sma);
  const bool is_below = std::binary_search(below_it.begin(), below_it.end(), node);
  if (!is_below && design.scope == Scope::partition) return State::outside;
  if (plugin_of(wanted) != 1 || function_of(wanted) >= functions)
    return request.mode == Mode::synchronous ? State::unknown : State::uncached;
  const bool is_collected = std::ranges::any_of(design.groups, [&](const Group& group) {
    return std::ranges::find(*group.resources, wanted) != group.resources->end();
  });
  return request.mode == Mode::synchronous || is_collected ? State::ok : State::uncached;
}

void check_answer(const Design& design, const Truth& truth, const Asked& asked, std::int64_t threshold) {
  CHECK(asked.finals == 1);
  CHECK(asked.twice == 0);
  CHECK(asked.after_final == 0);
  REQUIRE(asked.rows.size() == asked.request.nodes->size());
  for (const auto& [node, values] : asked.rows) {
    REQUIRE(values.size() == asked.request.resources->size());
    for (std::size_t v = 0; v < values.size(); ++v) {
      const Resource wanted = (*asked.request.resources)[v];
      REQUIRE(values[v].state == expected(design, asked.sma, asked.request, node, wanted));
      if (values[v].state != State::ok) continue;
      CHECK(std::abs(values[v].value - truth.at(node, wanted, values[v].taken)) <= threshold);
      CHECK(values[v].taken <= asked.answered);
      if (asked.request.mode == Mode::synchronous && !design.merge_requests) CHECK(values[v].taken >= asked.asked);
    }
  }
}

Request drawn_request(Random& random, std::uint32_t nodes, Mode mode) {
  Request request{.id = 0,
                  .verb = Verb::get,
                  .mode = mode,
                  .nodes = drawn_nodes(random, nodes),
                  .resources = drawn_resources(random)};
  if (below(random, 8) == 0)
    request.resources = resource_vector({resource(1, 0), resource(7, 7), resource(1, functions)});
  return request;
}

/// Makes requests of several clients, many at once.
void ask_at_random(World& world, Random& random, const Design& design, int count) {
  for (int i = 0; i < count; ++i) {
    const Mode mode = flip(random) ? Mode::synchronous : Mode::asynchronous;
    world.ask(design.tree.sma(static_cast<std::uint32_t>(below(random, design.tree.smas()))),
              drawn_request(random, design.tree.nodes(), mode));
    if (flip(random)) world.run_until(world.now() + Time::from_ns(static_cast<std::int64_t>(below(random, 500'000))));
  }
}

} // namespace

TEST_CASE("every request is answered with every node once, by what was true when it was read") {
  const std::uint64_t cases = cases_wanted(150);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Design design = drawn_design(random, 24);
    const Truth truth(seed, flip(random) ? 7_ms : Time::never());
    World world(design, truth, functions, seed, drawn_clocks(random, design.tree.agents(), 100_ms));
    world.run_until(200_ms); // everything has been collected
    ask_at_random(world, random, design, 20);
    world.run_until(600_ms);
    for (const Asked& asked : world.asked()) check_answer(design, truth, asked, 0);
    CHECK(world.computers().settled_twice == 0);
    CHECK(world.computers().arrived + world.computers().lost <= world.computers().taken);
  }
}

TEST_CASE("no technique changes an answer") {
  const std::uint64_t cases = cases_wanted(40);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    Random drawing(seed);
    const Design drawn = drawn_design(drawing, 20);
    const Truth truth(seed, Time::never());
    std::vector<std::map<NodeId, std::vector<std::pair<State, std::int64_t>>>> first;
    for (unsigned techniques = 0; techniques < 64; ++techniques) {
      CAPTURE(seed, techniques);
      Design design = drawn;
      design.pipelining = (techniques & 1U) != 0;
      design.merge_requests = (techniques & 2U) != 0;
      design.merge_replies = (techniques & 4U) != 0;
      design.filter = (techniques & 8U) != 0 ? std::optional<std::int64_t>(0) : std::nullopt;
      design.costs.names_each = (techniques & 16U) != 0;
      design.part = (techniques & 32U) != 0 ? 40 : 0;
      World world(design, truth, functions, seed);
      world.run_until(200_ms);
      Random random(seed);
      ask_at_random(world, random, design, 12);
      world.run_until(800_ms);
      std::vector<std::map<NodeId, std::vector<std::pair<State, std::int64_t>>>> answers;
      for (const Asked& asked : world.asked()) {
        auto& answer = answers.emplace_back();
        for (const auto& [node, values] : asked.rows)
          for (const Value& value : values)
            answer[node].emplace_back(value.state, value.state == State::ok ? value.value : 0);
      }
      if (techniques == 0) first = answers;
      REQUIRE(answers == first);
    }
  }
}

TEST_CASE("a filter keeps every cached value within its threshold of what was true when it was last confirmed") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    Design design = drawn_design(random, 16);
    design.filter = 3;
    const Truth truth(seed, 5_ms);
    World world(design, truth, functions, seed);
    world.run_until(300_ms);
    for (std::uint32_t s = 0; s < design.tree.smas(); ++s)
      world.ask(design.tree.sma(s), {.id = 0,
                                     .verb = Verb::get,
                                     .mode = Mode::asynchronous,
                                     .nodes = design.tree.below(design.tree.sma(s)),
                                     .resources = resource_vector({resource(1, 0), resource(1, 2)})});
    world.run_until(350_ms);
    for (const Asked& asked : world.asked()) check_answer(design, truth, asked, 3);
    CHECK(world.counts().values_filtered > 0);
  }
}

TEST_CASE("each technique saves what it is there to save") {
  Random random(1);
  Design all{.tree = Tree(64, even_partitions(64, 4)),
             .costs = {.send = 10_us, .receive = 10_us, .request = 32, .reply = 32, .id = 8, .stamp = 8}};
  all.groups = {{200_ms, resource_vector({resource(1, 0)})}};
  all.filter = 0;
  all.wait = 5_ms;
  const Truth truth(1, Time::never());
  const auto outcome = [&](const Design& design) {
    World world(design, truth, functions, 1);
    world.run_until(1100_ms); // five rounds
    for (int c = 0; c < 4; ++c)
      world.ask(design.tree.root(), {.id = 0,
                                     .verb = Verb::get,
                                     .mode = Mode::synchronous,
                                     .nodes = node_set(nodes_in(64)),
                                     .resources = resource_vector({resource(1, 0)})});
    world.run_until(1190_ms);
    Time last;
    for (const Asked& asked : world.asked()) {
      REQUIRE(asked.finals == 1);
      last = std::max(last, asked.answered);
    }
    return std::tuple{world.messages(), world.bytes(), last, world.counts()};
  };
  const auto [messages, bytes, last, counts] = outcome(all);
  // Five rounds of 64 + 16 + 4 pushes; a request and a reply of each of 4 clients and, once, of each of 84 agents.
  CHECK(messages == 5 * 84 + 4 * 2 + 2 * 84);
  CHECK(counts.values_filtered == 4 * 64);
  CHECK(counts.joined_nodes == 3 * 64);

  Design apart = all;
  apart.merge_requests = false;
  CHECK(std::get<0>(outcome(apart)) == 5 * 84 + 4 * 2 + 4 * 2 * 84);

  Design each = all;
  each.merge_replies = false; // each CMA's value passes three times, and a fourth time to each client
  CHECK(std::get<0>(outcome(each)) == 5 * 64 * 3 + 4 + 84 + 64 * 3 + 4 * 64);

  Design unfiltered = all;
  unfiltered.filter.reset();
  CHECK(std::get<1>(outcome(unfiltered)) > bytes);
  CHECK(std::get<0>(outcome(unfiltered)) == messages);

  Design named = all;
  named.costs.names_each = true;
  CHECK(std::get<1>(outcome(named)) > bytes);

  Design serial = all;
  serial.pipelining = false;
  CHECK(std::get<2>(outcome(serial)) > last + 1_ms);
}
