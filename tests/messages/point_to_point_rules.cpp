// SPDX-License-Identifier: BSD-3-Clause
// Messages between two ranks: what each takes, in which order they are matched.
#include "sw/messages/core/point_to_point.hpp"
#include "tests/catch.hpp"
#include "tests/messages/naive.hpp"
#include "tests/random.hpp"

#include <optional>

using namespace hypermon;
using namespace hypermon::messages;
using namespace hypermon::messages::test;
using hypermon::testing::Random;

namespace {

constexpr Costs costs{.step_ns = 1001, .ns_per_cycle = 1000, .ns_per_byte = 15, .latency_ns = 575000};
constexpr Protocol protocol{.eager_limit = 100000};

struct World {
  FakeNetwork network;
  IoObservers observers{};
  Wire wire;
  PointToPoint messages;
  explicit World(int ranks, const Protocol& rules = protocol, const Costs& terms = costs)
      : network(terms), wire(network, observers, endpoints(ranks), [] { return Time(); }),
        messages(wire, rules, static_cast<std::size_t>(ranks)) {}

  /// Sends from `ns` on. Returns the time at which the send is complete.
  std::shared_ptr<std::int64_t> send(std::int64_t ns, int from, int to, std::int64_t bytes, int tag = 0,
                                     bool synchronous = false, bool is_plain = false) {
    const auto ended = std::make_shared<std::int64_t>(-1);
    network.at(ns, [=, this] {
      const auto m = std::make_shared<Message>();
      m->from = from, m->to = to, m->bytes = bytes, m->tag = tag, m->synchronous = synchronous, m->is_plain = is_plain;
      run(messages.send(m), [=, this] { *ended = network.now(); });
    });
    return ended;
  }
  struct Got {
    std::int64_t ended = -1;
    std::shared_ptr<Receive> receive = std::make_shared<Receive>();
  };
  std::shared_ptr<Got> receive(std::int64_t ns, int rank, std::optional<int> from, std::optional<int> tag = {}) {
    const auto got = std::make_shared<Got>();
    got->receive->rank = rank, got->receive->from = from, got->receive->tag = tag;
    network.at(ns, [=, this] { run(messages.receive(got->receive), [=, this] { got->ended = network.now(); }); });
    return got;
  }
};

std::int64_t wire_ns(std::int64_t bytes) { return bytes * costs.ns_per_byte; }

} // namespace

TEST_CASE("a message at the eager limit goes at once, one byte more is announced first") {
  World short_one(2);
  const auto sent = short_one.send(0, 0, 1, 100000);
  const auto got = short_one.receive(0, 1, 0);
  short_one.network.run();
  CHECK(*sent == costs.step_ns + wire_ns(100000));
  CHECK(got->ended == *sent + costs.latency_ns + costs.step_ns);

  World long_one(2);
  const auto announced = long_one.send(0, 0, 1, 100001);
  const auto taken = long_one.receive(0, 1, 0);
  long_one.network.run();
  const std::int64_t trip = costs.step_ns + wire_ns(100) + costs.latency_ns; // a step, then 100 B
  CHECK(*announced == 2 * trip + costs.step_ns + wire_ns(100001));
  CHECK(taken->ended == *announced + costs.latency_ns);
}

TEST_CASE("a plain message goes at once, however long it is, and has no header") {
  World world(2, {.header = 8});
  const auto sent = world.send(0, 0, 1, 1'000'000, 0, false, true);
  const auto got = world.receive(0, 1, 0);
  world.network.run();
  CHECK(*sent == costs.step_ns + wire_ns(1'000'000));
  CHECK(got->ended == *sent + costs.latency_ns + costs.step_ns);
}

TEST_CASE("a short send does not wait for its receive, a long or a synchronous one does") {
  for (const auto& [bytes, synchronous] : {std::pair<std::int64_t, bool>{10, false}, {200000, false}, {10, true}}) {
    World world(2);
    constexpr std::int64_t late = 50000000;
    const auto sent = world.send(0, 0, 1, bytes, 0, synchronous);
    const auto got = world.receive(late, 1, 0);
    world.network.run();
    if (bytes == 10 && !synchronous) {
      CHECK(*sent == costs.step_ns + wire_ns(10));
      CHECK(got->ended == late + 2 * costs.step_ns);
    } else {
      CHECK(*sent == late + 2 * costs.step_ns + wire_ns(100) + costs.latency_ns + costs.step_ns + wire_ns(bytes));
      CHECK(got->ended == *sent + costs.latency_ns);
    }
  }
}

TEST_CASE("the newest version's sizes are options") {
  World world(2, {.eager_limit = 0, .header = 8, .announcement = 8, .acknowledgement = 100});
  const auto sent = world.send(0, 0, 1, 1000);
  world.receive(0, 1, 0);
  world.network.run();
  CHECK(world.network.sent == std::vector<FakeNetwork::Sent>{{Station{0}, Station{1}, 8},
                                                             {Station{1}, Station{0}, 100},
                                                             {Station{0}, Station{1}, 1008}});
}

TEST_CASE("messages of one sender are taken in the order of their sends, whichever comes first") {
  for (const bool overtake : {false, true}) {
    Costs terms = costs;
    terms.overtake = overtake;
    World world(2, protocol, terms);
    world.send(0, 0, 1, 90000, 7);
    world.send(1, 0, 1, 10, 7);
    world.send(2, 0, 1, 20, 8);
    const auto tagged = world.receive(0, 1, 0, 8);
    const auto first = world.receive(1, 1, {}, {});
    const auto second = world.receive(2, 1, 0, 7);
    world.network.run();
    CHECK(tagged->receive->message->bytes == 20);
    CHECK(first->receive->message->bytes == 90000);
    CHECK(second->receive->message->bytes == 10);
  }
}

TEST_CASE("a receive from any rank takes what comes first, not what was sent first") {
  World world(3);
  world.send(0, 0, 2, 90000);
  world.send(1000, 1, 2, 10);
  const auto first = world.receive(0, 2, {});
  const auto second = world.receive(0, 2, {});
  world.network.run();
  CHECK(first->receive->message->from == 1);
  CHECK(second->receive->message->from == 0);
}

TEST_CASE("unexpected messages wait, in any number, and a probe sees the oldest that fits") {
  World world(2);
  for (int i = 0; i < 1000; ++i) world.send(i, 0, 1, 100 + i, i % 10);
  world.network.run();
  CHECK(world.messages.unexpected(1) == 1000);
  CHECK(world.messages.probe({.context = 0, .rank = 1, .from = 0, .tag = 3, .cause = {}})->bytes == 103);
  CHECK(world.messages.probe({.context = 0, .rank = 1, .from = {}, .tag = 11, .cause = {}}) == nullptr);
  CHECK(world.messages.probe({.context = 1, .rank = 1, .from = {}, .tag = {}, .cause = {}}) == nullptr);
}

TEST_CASE("a cancelled receive takes nothing, one that has its message is not cancelled") {
  World world(2);
  const auto cancelled = world.receive(0, 1, 0);
  world.network.run();
  CHECK(world.messages.withdraw(cancelled->receive));
  const auto other = world.receive(world.network.now(), 1, 0);
  world.send(world.network.now(), 0, 1, 10);
  world.network.run();
  CHECK(cancelled->receive->message == nullptr);
  CHECK(other->receive->message->bytes == 10);
  CHECK_FALSE(world.messages.withdraw(other->receive));
}

TEST_CASE("a chain of sends and receives takes what its rule says") {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    const auto ranks = static_cast<int>(random.between(2, 6));
    const Protocol rules{.eager_limit = random.pick({0, 500, 100000}),
                         .header = random.pick({0, 8}),
                         .announcement = random.pick({8, 100}),
                         .acknowledgement = random.pick({15, 100})};
    World world(ranks, rules);
    std::vector<List> lists(static_cast<std::size_t>(ranks));
    std::vector<std::function<Task(World&)>> calls;
    std::vector<std::vector<std::pair<bool, std::pair<int, std::int64_t>>>> program(lists.size());
    const Doing job{.job_ns = costs.step_ns};
    for (int n = 0; n < 12; ++n) { // one message at a time: sender, receiver
      const auto from = static_cast<int>(random.below(ranks));
      const int to = (from + 1 + static_cast<int>(random.below(ranks - 1))) % ranks;
      const std::int64_t bytes = random.below(2000);
      program[static_cast<std::size_t>(from)].push_back({true, {to, bytes}});
      program[static_cast<std::size_t>(to)].push_back({false, {from, 0}});
      auto& sender = lists[static_cast<std::size_t>(from)];
      auto& receiver = lists[static_cast<std::size_t>(to)];
      const auto data = bytes + rules.header;
      if (bytes <= rules.eager_limit) {
        sender = sender + List{job, {.sends = {{to, data}}}};
        receiver = receiver + List{job, {.receives = {{from}}}, job};
      } else {
        sender = sender +
                 List{job, {.sends = {{to, rules.announcement}}, .receives = {{to, 1}}}, job, {.sends = {{to, data}}}};
        receiver =
            receiver +
            List{job, {.receives = {{from}}}, job, {.sends = {{from, rules.acknowledgement, 1}}, .receives = {{from}}}};
      }
    }
    std::vector<std::int64_t> ended(lists.size(), 0);
    const auto whole = [&](std::size_t r) -> Task {
      for (const auto& [sends, what] : program[r])
        if (sends) {
          const auto m = std::make_shared<Message>();
          m->from = static_cast<int>(r), m->to = what.first, m->bytes = what.second;
          co_await world.messages.send(m);
        } else {
          const auto wanted = std::make_shared<Receive>();
          wanted->rank = static_cast<int>(r), wanted->from = what.first;
          co_await world.messages.receive(wanted);
        }
    };
    for (std::size_t r = 0; r < lists.size(); ++r) run(whole(r), [&, r] { ended[r] = world.network.now(); });
    world.network.run();
    REQUIRE(ended == naive_ends(lists, std::vector<std::int64_t>(lists.size(), 0), costs));
  }
}
