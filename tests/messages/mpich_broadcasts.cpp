// SPDX-License-Identifier: BSD-3-Clause
// MPICH2's broadcast: what is sent to whom, from its sources' description; and that of 100 MiB on 8 ranks, by the
// paper.
#include "sw/messages/core/algorithms.hpp"
#include "tests/catch.hpp"
#include "tests/messages/fake_network.hpp"
#include "tests/random.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

using namespace hypermon;
using namespace hypermon::messages;
using namespace hypermon::messages::test;
using hypermon::testing::Random;

namespace {

/// Writes down the messages that carry data.
class Listener : public IoObserver {
public:
  void begins(Time, const MessageStep& step) override { all.push_back(step); }
  std::vector<MessageStep> all;
};

struct Ran {
  std::vector<MessageStep> messages;
  std::vector<std::int64_t> ended;
};

Ran broadcast(int ranks, std::int64_t bytes, int root, const Costs& costs, const Protocol& protocol) {
  FakeNetwork network(costs);
  Listener listener;
  IoObservers observers;
  observers.add(listener);
  Wire wire(network, observers, endpoints(ranks), [] { return Time(); });
  PointToPoint messages(wire, protocol, static_cast<std::size_t>(ranks));
  std::vector<int> members(static_cast<std::size_t>(ranks));
  std::iota(members.begin(), members.end(), 0);
  Collective all(wire, members);
  std::vector<Member> m;
  for (int r = 0; r < ranks; ++r) m.push_back({all, r, OperationId::of_call(r, 7), messages, {}});
  Ran ran{.messages = {}, .ended = std::vector<std::int64_t>(m.size(), -1)};
  for (std::size_t r = 0; r < m.size(); ++r)
    run(broadcast_mpich(m[r], bytes, root), [&, r] { ran.ended[r] = network.now(); });
  network.run();
  ran.messages = listener.all;
  return ran;
}

std::string name(const MessageStep& step) { return step.algorithm; }

constexpr Protocol eager{.eager_limit = 1LL << 40};

} // namespace

TEST_CASE("100 MiB to 8 ranks are scattered along a tree, then passed on seven times in a ring") {
  constexpr std::int64_t piece = 100 * (1 << 20) / 8;
  const Ran ran = broadcast(8, 8 * piece, 0, {}, eager);
  std::vector<std::tuple<std::string, int, int, std::int64_t>> of_0;
  std::int64_t from_7 = 0;
  for (const MessageStep& step : ran.messages) {
    if (step.from == 0) of_0.emplace_back(name(step), step.step, step.to, step.bytes);
    if (step.from == 7 && step.to == 0) from_7 += step.bytes;
    CHECK(step.cause == OperationId::of_call(step.from, 7));
  }
  decltype(of_0) expected{{"bcast/mpich_scatter", 0, 4, 4 * piece},
                          {"bcast/mpich_scatter", 1, 2, 2 * piece},
                          {"bcast/mpich_scatter", 2, 1, piece}};
  for (int round = 0; round < 7; ++round) expected.emplace_back("bcast/mpich_ring", round, 1, piece);
  CHECK(of_0 == expected);
  CHECK(from_7 == 7 * piece);
}

TEST_CASE("its critical path is twice seven pieces") {
  constexpr std::int64_t piece = 100 * (1 << 20) / 8;
  const Costs costs{.step_ns = 1, .ns_per_cycle = 1, .ns_per_byte = 14, .latency_ns = 287500};
  const Ran ran = broadcast(8, 8 * piece, 0, costs, eager);
  const auto last = *std::max_element(ran.ended.begin(), ran.ended.end());
  const std::int64_t data = 14 * 14 * piece;
  CHECK(last >= data + 10 * costs.latency_ns); // the paper's ten latencies: three of the scatter, seven of the ring
  CHECK(last <= data + 10 * costs.latency_ns + 100 * costs.step_ns);
}

TEST_CASE("MPICH2 chooses by size and number of ranks") {
  const auto used = [](int ranks, std::int64_t bytes) {
    std::map<std::string, int> names;
    for (const MessageStep& step : broadcast(ranks, bytes, 0, {}, eager).messages) ++names[name(step)];
    return names;
  };
  using Names = std::map<std::string, int>;
  CHECK(used(8, 12287) == Names{{"bcast/mpich_binomial", 7}});
  CHECK(used(7, 1 << 20) == Names{{"bcast/mpich_binomial", 6}});
  CHECK(used(8, 12288) == Names{{"bcast/mpich_scatter", 7}, {"bcast/mpich_recursive_doubling", 3 * 8}});
  CHECK(used(9, 12288) == Names{{"bcast/mpich_scatter", 8}, {"bcast/mpich_ring", 8 * 9}});
  CHECK(used(8, 524287) == Names{{"bcast/mpich_scatter", 7}, {"bcast/mpich_recursive_doubling", 3 * 8}});
  CHECK(used(8, 524288) == Names{{"bcast/mpich_scatter", 7}, {"bcast/mpich_ring", 7 * 8}});
}

TEST_CASE("each rank is sent all pieces but its own, whatever the numbers") {
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    const auto ranks = static_cast<int>(random.between(1, 40));
    const auto root = static_cast<int>(random.below(ranks));
    const std::int64_t bytes =
        random.pick({0, random.below(12288), random.between(12288, 524287), random.below(2000000)});
    const Ran ran = broadcast(ranks, bytes, root, {.latency_ns = random.between(1, 1000000)},
                              {.eager_limit = random.pick({0, 1000, 100000})});
    INFO(ranks << " ranks, root " << root << ", " << bytes << " B");
    REQUIRE(std::ranges::none_of(ran.ended, [](std::int64_t t) { return t < 0; }));
    // parts of the scatter that are received and not passed on
    std::vector<std::int64_t> kept(static_cast<std::size_t>(ranks), 0);
    std::vector<std::int64_t> gathered(static_cast<std::size_t>(ranks), 0);
    kept[static_cast<std::size_t>(root)] = bytes;
    for (const MessageStep& step : ran.messages) {
      if (name(step) == "announcement" || name(step) == "acknowledgement") continue;
      const bool scatters = name(step) == "bcast/mpich_scatter";
      (scatters ? kept : gathered)[static_cast<std::size_t>(step.to)] += step.bytes;
      if (scatters) kept[static_cast<std::size_t>(step.from)] -= step.bytes;
    }
    const bool is_tree = bytes < 12288 || ranks < 8;
    const std::int64_t piece = (bytes + ranks - 1) / ranks;
    for (int r = 0; r < ranks; ++r) {
      const std::int64_t first = (r - root + ranks) % ranks * piece;
      const std::int64_t own = is_tree ? (r == root ? bytes : 0) : std::clamp<std::int64_t>(bytes - first, 0, piece);
      CHECK(kept[static_cast<std::size_t>(r)] == own);
      CHECK(gathered[static_cast<std::size_t>(r)] == bytes - own);
    }
  }
}
