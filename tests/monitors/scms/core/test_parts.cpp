// SPDX-License-Identifier: BSD-3-Clause
// Answers of an SMA that leave in parts, against a naive model that keeps every row of every requester in a list.
//
//   HYPERMON_TEST_CASES  random SMAs to compare, instead of those of a CI run
#include "tests/catch.hpp"
#include "tests/monitors/scms/core/drawn.hpp"
#include "tests/volume.hpp"

#include <algorithm>

using namespace hypermon;
using namespace hypermon::scms;
using namespace hypermon::scms::testing;
using hypermon::testing::cases_wanted;

namespace {

/// A message that an SMA sends to a requester: the nodes of its rows, and whether it is the last.
struct Part {
  Peer to{};
  std::vector<NodeId> nodes;
  bool is_last = false;
  bool operator==(const Part&) const = default;
};

/// Naive model: all rows that a requester waits for, and those that have arrived and not left.
struct Requester {
  Peer peer{};
  std::vector<NodeId> wanted;
  std::vector<NodeId> waiting;
  std::int64_t bytes = 0;
};

/// A message of a child arrives: its rows join the waiting ones, which leave if they are enough or complete.
std::optional<Part> step(Requester& requester, const std::vector<std::pair<NodeId, std::int64_t>>& rows,
                         std::int64_t part) {
  for (const auto& [node, bytes] : rows) {
    std::erase(requester.wanted, node);
    requester.waiting.push_back(node);
    requester.bytes += bytes;
  }
  const bool is_last = requester.wanted.empty();
  if (!is_last && (part == 0 || requester.bytes < part)) return std::nullopt;
  Part left{requester.peer, requester.waiting, is_last};
  if (part == 0) std::ranges::sort(left.nodes); // an answer that leaves whole has the request's order
  requester.waiting.clear();
  requester.bytes = 0;
  return left;
}

class Nothing final : public Surroundings {
public:
  Value read(NodeId, Resource, Time) override { return {}; }
  State load(NodeId, PluginId, Time) override { return State::failed; }
  State unload(NodeId, PluginId, Time) override { return State::failed; }
  void restart(NodeId, Time) override {}
  std::uint64_t take(NodeId, Resource, Time) override { return 0; }
  void arrive(std::uint64_t, Time) override {}
  void lose(std::uint64_t, Loss) override {}
};

/// Removes some nodes from a request that a child has, and answers them.
Reply drawn_reply(Random& random, Request& open) {
  std::vector<NodeId> left = *open.nodes;
  std::shuffle(left.begin(), left.end(), random);
  const std::size_t count = 1 + below(random, left.size());
  Reply reply{open.id, count == left.size(), flip(random), {open.resources, {}, {}}};
  for (; reply.rows.nodes.size() < count; left.pop_back()) {
    reply.rows.nodes.push_back(left.back());
    reply.rows.values.push_back({.value = 1,
                                 .taken = {},
                                 .ticket = 0,
                                 .bytes = static_cast<std::int32_t>(below(random, 60)),
                                 .state = State::ok});
  }
  open.nodes = node_set(std::move(left));
  return reply;
}

/// Requests of several clients at the root of a random tree, whose children answer in random order and portions.
void compare(std::uint64_t seed) {
  Random random(seed);
  Design design{.tree = drawn_tree(random, 12), .costs = drawn_costs(random)};
  design.merge_requests = false; // every request is sent down: a requester's rows are those of its own requests
  design.part = flip(random) ? 0 : static_cast<std::int64_t>(1 + below(random, 200));
  Nothing nothing;
  const auto agent = make_agent(design, design.tree.root(), nothing, NodeClock());
  std::vector<Requester> requesters;
  std::vector<std::pair<Peer, Request>> open; // open requests at the children, by the message that the child received
  std::map<std::uint64_t, std::size_t> asker; // index of the requester, by the request's id at the child
  for (std::uint32_t c = 0; c < 1 + below(random, 3); ++c) {
    const Peer peer{design.tree.agents() + c};
    const Request request{1, Verb::get, Mode::synchronous, drawn_nodes(random, design.tree.nodes()),
                          resource_vector({resource(1, 0)})};
    Outbox out;
    agent->receive(peer, request, Time{}, out);
    for (const Send& sent : out) {
      open.emplace_back(sent.to, std::get<Request>(*sent.message));
      asker[open.back().second.id] = requesters.size();
    }
    requesters.push_back({peer, *request.nodes, {}, 0});
  }
  while (!open.empty()) {
    auto& [child, request] = open[below(random, open.size())];
    const Reply reply = drawn_reply(random, request);
    std::vector<std::pair<NodeId, std::int64_t>> rows;
    for (std::size_t r = 0; r < reply.rows.nodes.size(); ++r)
      rows.emplace_back(reply.rows.nodes[r], reply.rows.row(r).front().bytes + design.costs.stamp);
    const auto expected = step(requesters[asker.at(request.id)], rows, design.part);
    Outbox out;
    agent->receive(child, reply, Time{}, out);
    std::vector<Part> sent;
    for (const Send& one : out) {
      const auto& part = std::get<Reply>(*one.message);
      CHECK(part.is_merged);
      sent.push_back({one.to, part.rows.nodes, part.is_last});
    }
    REQUIRE(sent == (expected ? std::vector{*expected} : std::vector<Part>{}));
    if (reply.is_last) std::erase_if(open, [&](const auto& requester) { return requester.second.id == reply.id; });
  }
  for (const Requester& requester : requesters) CHECK((requester.wanted.empty() && requester.waiting.empty()));
}

} // namespace

TEST_CASE("an answer leaves in parts of the wanted size as its rows come, as in a naive model") {
  const std::uint64_t cases = cases_wanted(400);
  for (std::uint64_t seed = 1; seed <= cases; ++seed) {
    CAPTURE(seed);
    compare(seed);
  }
}
