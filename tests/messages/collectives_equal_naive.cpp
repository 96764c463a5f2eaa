// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of collective calls against its rule, written down as lists (naive.hpp), to the nanosecond: random
// sizes, numbers of ranks, roots, eager limits and dates at which ranks come.
#include "sw/messages/core/chosen.hpp"
#include "tests/catch.hpp"
#include "tests/messages/naive.hpp"
#include "tests/random.hpp"

#include <bit>
#include <functional>

using namespace hypermon::messages;
using namespace hypermon::messages::test;
using hypermon::OperationId;
using hypermon::testing::Random;

namespace {

struct Case {
  int ranks;
  int root;
  std::int64_t bytes;
  std::int64_t limit;
  Combining combining;
  Costs costs;
  Doing job() const { return {.job_ns = costs.step_ns}; }
  Doing cycles(std::int64_t n) const { return {.job_ns = std::max<std::int64_t>(n, 1) * costs.ns_per_cycle}; }
  /// Root and rank 0 exchanged.
  int x(int r) const { return r == root ? 0 : r == 0 ? root : r; }
  bool is_root(int r) const { return r == root; }
  /// Parent by clearing the lowest bit: found by trying all.
  int parent(int r) const {
    int lowest = 1;
    while ((x(r) & lowest) == 0) lowest *= 2;
    return x(x(r) - lowest);
  }
  /// All children of the rank, the one at the largest distance first.
  std::vector<int> children(int r) const {
    std::vector<int> all;
    for (int v = ranks - 1; v > 0; --v)
      if (parent(x(v)) == r) all.push_back(x(v));
    return all;
  }
  int under(int r) const {
    int all = 1;
    for (const int c : children(r)) all += under(c);
    return all;
  }
};

using Rule = std::function<List(const Case&, int rank)>;
using Algorithm = std::function<Task(const Member&, const Case&)>;

Doing sends(std::vector<Doing::Send> all) { return {.sends = std::move(all)}; }
Doing receives(std::vector<Doing::Receive> all) { return {.receives = std::move(all)}; }
Doing to_all(const std::vector<int>& peers, std::int64_t bytes, int channel = 0) {
  Doing d;
  for (const int p : peers) d.sends.push_back({p, bytes, channel});
  return d;
}
Doing from_all(const std::vector<int>& peers, int channel = 0) {
  Doing d;
  for (const int p : peers) d.receives.push_back({p, channel});
  return d;
}
std::vector<int> others(const Case& c, int rank) {
  std::vector<int> all;
  for (int r = 0; r < c.ranks; ++r)
    if (r != rank) all.push_back(r);
  return all;
}

List bcast_simple(const Case& c, int r) {
  List l{c.job()};
  if (!c.is_root(r)) l = l + List{receives({{c.parent(r)}}), c.job()};
  return l + List{to_all(c.children(r), c.bytes + 20)};
}

List bcast_tree(const Case& c, int r) {
  if (c.ranks == 1) return {c.job()};
  if (c.bytes <= c.limit) return List{c.job()} + bcast_simple(c, r);
  Doing ready = from_all(c.children(r), 1);
  if (!c.is_root(r)) ready.sends.push_back({c.parent(r), 20, 1});
  return List{c.job(), ready, c.job()} + bcast_simple(c, r);
}

std::vector<std::int64_t> blocks(std::int64_t bytes) {
  std::vector<std::int64_t> all;
  do {
    all.push_back(std::min<std::int64_t>(bytes, 1048576));
    bytes -= all.back();
  } while (bytes > 0);
  return all;
}

List bcast_blockwise(const Case& c, int r) {
  List l{c.job()};
  if (c.ranks == 1) return l;
  const auto all = blocks(c.bytes);
  for (std::size_t b = 0; b < all.size(); ++b) {
    if (b > 0 && !c.children(r).empty()) l.push_back(c.job());
    if (!c.is_root(r)) l = l + List{receives({{c.parent(r)}}), c.job()};
    l.push_back(to_all(c.children(r), all[b] + 20));
  }
  return l;
}

List bcast_piped(const Case& c, int r) {
  List l{c.job()};
  if (c.ranks == 1) return l;
  const auto all = blocks(c.bytes);
  const int v = c.x(r);
  const int before = v > 0 ? c.x(v - 1) : -1;
  const int after = v + 1 < c.ranks ? c.x(v + 1) : -1;
  Doing first; // the first block arrives, or leaves; the receiver reports that it is ready
  if (v > 0) first = {.sends = {{before, 20, 1}}, .receives = {{before}}};
  if (after >= 0) first.receives.push_back({after, 1});
  if (v == 0) first.sends.push_back({after, all[0] + 20});
  l.push_back(first);
  for (std::size_t b = 1; b < all.size(); ++b) {
    Doing d;
    if (v > 0) d.receives.push_back({before});
    if (v == 0) d.sends.push_back({after, all[b] + 20});
    if (v > 0 && after >= 0) d.sends.push_back({after, all[b - 1] + 20});
    l = l + List{c.job(), d};
  }
  if (v > 0 && after >= 0) l = l + List{c.job(), sends({{after, all.back() + 20}})};
  return l;
}

List scatter_tree(const Case& c, int r, std::int64_t piece) {
  List l{c.job()};
  if (c.ranks == 1) return l;
  const auto children = c.children(r);
  if (!c.is_root(r)) {
    l.push_back({.sends = {{c.parent(r), 20, 1}}, .receives = {{c.parent(r)}}});
    if (children.empty()) return l;
    l.push_back(c.job());
  }
  l.push_back(receives({{children[0], 1}}));
  for (std::size_t i = 0; i < children.size(); ++i) {
    Doing d = sends({{children[i], piece * c.under(children[i]) + 20}});
    if (i + 1 < children.size()) d.receives.push_back({children[i + 1], 1});
    l = l + List{c.job(), d};
  }
  return l;
}

List ring(const Case& c, int r, const std::function<std::int64_t(int)>& bytes) {
  List l;
  for (int i = 0; i + 1 < c.ranks; ++i)
    l = l + List{c.job(),
                 {.sends = {{(r + 1) % c.ranks, bytes((r + c.ranks - i) % c.ranks) + 20, 2}},
                  .receives = {{(r + c.ranks - 1) % c.ranks, 2}}}};
  return l + List{c.job()};
}

List bcast_scatter_ring(const Case& c, int r) {
  const std::int64_t piece = c.bytes / c.ranks + c.bytes % c.ranks;
  return List{c.job()} + scatter_tree(c, r, piece) + List{c.job()} + ring(c, r, [&](int) { return piece; });
}

List bcast_scatter_barrier_ring(const Case& c, int r, const Rule& barrier) {
  const std::int64_t piece = c.bytes / c.ranks + c.bytes % c.ranks;
  return List{c.job()} + scatter_tree(c, r, piece) + List{c.job()} + barrier(c, r) + List{c.job()} +
         ring(c, r, [&](int) { return piece; });
}

/// The nearest children first; each brings what is under it.
List gather_tree(const Case& c, int r, std::int64_t piece, const std::function<int(int)>& rank) {
  List l{c.job()};
  std::vector<int> children = c.children(r);
  std::ranges::reverse(children);
  for (const int child : children) l = l + List{receives({{rank(child), 2}}), c.job()};
  if (!c.is_root(r)) l.push_back(sends({{rank(c.parent(r)), piece * c.under(r), 2}}));
  return l;
}

Doing combined(const Case& c, std::int64_t operands) {
  return c.cycles(c.combining.as_paper ? c.bytes + 1 : operands * c.bytes / c.combining.bytes_per_cycle);
}

List reduce_simple(const Case& c, int r) {
  const auto children = c.children(r);
  List l{c.job()};
  if (!children.empty()) {
    l.push_back(from_all(children));
    if (!c.combining.as_paper || !c.is_root(r)) l.push_back(combined(c, std::ssize(children)));
  }
  if (!c.is_root(r)) l.push_back(sends({{c.parent(r), c.bytes + 20}}));
  return l;
}

List reduce_tree(const Case& c, int r) {
  if (c.ranks == 1) return {c.job()};
  if (c.bytes <= c.limit) return List{c.job()} + reduce_simple(c, r);
  Doing ready = to_all(c.children(r), 20, 1);
  if (!c.is_root(r)) ready.receives.push_back({c.parent(r), 1});
  return List{c.job(), ready, c.job()} + reduce_simple(c, r);
}

/// Ranks that take part, including the root: one of each of the first pairs, and all ranks after the pairs.
std::vector<int> taking_part(const Case& c) {
  int all = 1;
  while (2 * all <= c.ranks) all *= 2;
  std::vector<int> found;
  for (int r = 0; r < 2 * (c.ranks - all); r += 2) found.push_back(c.root == r + 1 ? r + 1 : r);
  for (int r = 2 * (c.ranks - all); r < c.ranks; ++r) found.push_back(r);
  return found;
}

List reduce_scatter_gather_rule(const Case& c, int r) {
  if (c.ranks == 1) return {c.job()};
  const std::vector<int> group = taking_part(c);
  const int n = static_cast<int>(group.size());
  const auto found = std::ranges::find(group, r);
  const bool has_pair = r < 2 * (c.ranks - n);
  const int neighbour = r % 2 == 0 ? r + 1 : r - 1;
  if (found == group.end()) return {c.job(), sends({{neighbour, c.bytes + 20, 1}})};
  List l{c.job()};
  if (has_pair) l = l + List{receives({{neighbour, 1}}), combined(c, 1)};
  l.push_back(c.job());
  const auto me = static_cast<int>(found - group.begin());
  std::int64_t part = c.bytes;
  for (int distance = 1; distance < n; distance *= 2) {
    const int peer = group[static_cast<std::size_t>(me / distance % 2 == 0 ? me + distance : me - distance)];
    part /= 2;
    l.push_back({.sends = {{peer, part + 20}}, .receives = {{peer}}});
    const std::int64_t own = (c.bytes + n - 1 - me) / n; // the first ranks have the rest
    if (!c.combining.as_paper)
      l.push_back(c.cycles(part / c.combining.bytes_per_cycle));
    else
      l.push_back(c.cycles(distance == 2 ? own * (n - 1) + 1 : 1));
  }
  Case in_group = c;
  in_group.ranks = n;
  in_group.root = static_cast<int>(std::ranges::find(group, c.root) - group.begin());
  return l + List{c.job()} + gather_tree(in_group, me, c.bytes / n + c.bytes % n, [&](int member) {
           return group[static_cast<std::size_t>(member)];
         });
}

List all_reduce_rule(const Case& c, int r) {
  if (c.ranks == 1) return {c.job()};
  if (r != 0) return {c.job(), {.sends = {{0, c.bytes + 20}}, .receives = {{0}}}};
  return {c.job(), from_all(others(c, 0)), c.combining.as_paper ? c.job() : combined(c, c.ranks - 1),
          to_all(others(c, 0), c.bytes + 20)};
}

List barrier_direct_rule(const Case& c, int r) {
  if (c.ranks == 1) return {c.job()};
  if (r != 0) return {c.job(), {.sends = {{0, 30}}, .receives = {{0}}}};
  return {c.job(), from_all(others(c, 0)), c.job(), to_all(others(c, 0), 30)};
}

List barrier_tree_rule(const Case& original, int r) {
  Case c = original;
  c.root = 0;
  List l{c.job()};
  if (!c.children(r).empty()) l = l + List{from_all(c.children(r)), c.job()};
  if (r != 0) l = l + List{{.sends = {{c.parent(r), 0}}, .receives = {{c.parent(r)}}}, c.job()};
  return l + List{to_all(c.children(r), 0)};
}

List dissemination(const Case& c, int r) {
  List l{c.job()};
  for (int d = 1; d < c.ranks; d *= 2)
    l = l + List{{.sends = {{(r + c.ranks - d) % c.ranks, 20}}, .receives = {{(r + d) % c.ranks}}}, c.job()};
  return l;
}

List scan_rule(const Case& c, int r) {
  List l{c.job()};
  if (r > 0) l = l + List{receives({{r - 1}}), combined(c, 1)};
  if (r + 1 < c.ranks) l.push_back(sends({{r + 1, c.bytes + 20}}));
  return l;
}

/// Different sizes: rank r's share.
std::int64_t share(const Case& c, int r) { return c.bytes / (r + 1); }
std::vector<std::int64_t> shares(const Case& c) {
  std::vector<std::int64_t> all;
  for (int r = 0; r < c.ranks; ++r) all.push_back(share(c, r));
  return all;
}
List all_at_once(const Case& c, int r, const std::function<std::int64_t(int)>& bytes) {
  Doing d = from_all(others(c, r));
  for (const int p : others(c, r)) d.sends.push_back({p, bytes(p) + 20});
  return {c.job(), d};
}

std::vector<std::int64_t> ends(const Case& c, const Algorithm& algorithm, const std::vector<std::int64_t>& begin) {
  FakeNetwork network(c.costs);
  const hypermon::IoObservers nobody;
  Wire wire(network, nobody, endpoints(c.ranks), [] { return hypermon::Time(); });
  PointToPoint messages(wire, {.eager_limit = c.limit}, static_cast<std::size_t>(c.ranks));
  std::vector<int> members;
  for (int r = 0; r < c.ranks; ++r) members.push_back(r);
  Collective all(wire, members);
  std::vector<Member> m;
  for (int r = 0; r < c.ranks; ++r) m.push_back({all, r, OperationId::of_call(r, 1), messages, c.combining});
  std::vector<std::int64_t> ended(static_cast<std::size_t>(c.ranks), -1);
  for (std::size_t r = 0; r < m.size(); ++r)
    network.at(begin[r], [&, r] { run(algorithm(m[r], c), [&, r] { ended[r] = network.now(); }); });
  network.run();
  return ended;
}

Case random_case(Random& random) {
  Case c{.ranks = static_cast<int>(random.between(1, 20)),
         .root = 0,
         .bytes = random.pick({0, 1, random.below(3000), random.below(4 << 20)}),
         .limit = random.pick({0, 1000, 100000}),
         .combining = {random.one_in(2), random.between(1, 2000)},
         .costs = {random.between(1, 3000), random.between(1, 1000), random.between(0, 20),
                   random.pick({0, 1, random.between(1, 1000000)})}};
  c.root = static_cast<int>(random.below(c.ranks));
  return c;
}

void check(const Algorithm& algorithm, const Rule& rule) {
  Random random(17);
  for (int i = 0; i < 150; ++i) {
    const Case c = random_case(random);
    std::vector<List> lists;
    std::vector<std::int64_t> begin;
    for (int r = 0; r < c.ranks; ++r) {
      lists.push_back(rule(c, r));
      begin.push_back(random.pick({0, random.below(2000000)}));
    }
    INFO("case " << i << ": " << c.ranks << " ranks, root " << c.root << ", " << c.bytes << " B, limit " << c.limit);
    REQUIRE(ends(c, algorithm, begin) == naive_ends(lists, begin, c.costs));
  }
}

} // namespace

TEST_CASE("broadcasts take what their rules say") {
  SECTION("binary_tree_simple") {
    check([](const Member& m, const Case& c) { return broadcast_binary_tree_simple(m, c.bytes, c.root); },
          bcast_simple);
  }
  SECTION("binary_tree") {
    check([](const Member& m, const Case& c) { return broadcast_binary_tree(m, c.bytes, c.root); }, bcast_tree);
  }
  SECTION("blockwise") {
    check([](const Member& m, const Case& c) { return broadcast_blockwise(m, c.bytes, c.root); }, bcast_blockwise);
  }
  SECTION("piped_blockwise") {
    check([](const Member& m, const Case& c) { return broadcast_piped_blockwise(m, c.bytes, c.root); }, bcast_piped);
  }
  SECTION("scatter_ring") {
    check([](const Member& m, const Case& c) { return broadcast_scatter_ring(m, c.bytes, c.root); },
          bcast_scatter_ring);
  }
  const auto with_barrier = [](hypermon::BarrierBy barrier) {
    return [barrier](const Member& m, const Case& c) {
      hypermon::CollectivesParams by;
      by.bcast = hypermon::BcastBy::scatter_barrier_ring;
      by.barrier = barrier;
      return broadcast(m, by, c.bytes, c.root);
    };
  };
  SECTION("scatter_barrier_ring, direct barrier") {
    check(with_barrier(hypermon::BarrierBy::direct),
          [](const Case& c, int r) { return bcast_scatter_barrier_ring(c, r, barrier_direct_rule); });
  }
  SECTION("scatter_barrier_ring, dissemination") {
    check(with_barrier(hypermon::BarrierBy::dissemination),
          [](const Case& c, int r) { return bcast_scatter_barrier_ring(c, r, dissemination); });
  }
}

TEST_CASE("reductions take what their rules say") {
  SECTION("binary_tree_simple") {
    check([](const Member& m, const Case& c) { return reduce_binary_tree_simple(m, c.bytes, c.root); }, reduce_simple);
  }
  SECTION("binary_tree") {
    check([](const Member& m, const Case& c) { return reduce_binary_tree(m, c.bytes, c.root); }, reduce_tree);
  }
  SECTION("scatter_gather") {
    check([](const Member& m, const Case& c) { return reduce_scatter_gather(m, c.bytes, c.root); },
          reduce_scatter_gather_rule);
  }
  SECTION("root_computes") {
    check([](const Member& m, const Case& c) { return all_reduce_root_computes(m, c.bytes); }, all_reduce_rule);
  }
  SECTION("scan in a chain") {
    check([](const Member& m, const Case& c) { return scan_chain(m, c.bytes); }, scan_rule);
  }
}

TEST_CASE("barriers take what their rules say") {
  SECTION("direct") {
    check([](const Member& m, const Case&) { return barrier_direct(m); }, barrier_direct_rule);
  }
  SECTION("binary_tree") {
    check([](const Member& m, const Case&) { return barrier_binary_tree(m); }, barrier_tree_rule);
  }
  SECTION("dissemination") {
    check([](const Member& m, const Case&) { return barrier_dissemination(m); }, dissemination);
  }
}

TEST_CASE("gathers, scatters and exchanges take what their rules say") {
  SECTION("gather, direct") {
    check([](const Member& m, const Case& c) { return gather_direct(m, share(c, m.rank), c.root); },
          [](const Case& c, int r) {
            return c.is_root(r) ? List{c.job(), from_all(others(c, r))}
                                : List{c.job(), sends({{c.root, share(c, r) + 20}})};
          });
  }
  SECTION("gather along the tree") {
    check([](const Member& m, const Case& c) { return gather_binary_tree(m, c.bytes, c.root); },
          [](const Case& c, int r) { return gather_tree(c, r, c.bytes, [](int rank) { return rank; }); });
  }
  SECTION("scatter, direct") {
    check([](const Member& m, const Case& c) { return scatter_direct(m, shares(c), c.root); },
          [](const Case& c, int r) {
            if (!c.is_root(r)) return List{c.job(), receives({{c.root}})};
            Doing d;
            for (const int p : others(c, r)) d.sends.push_back({p, share(c, p) + 20});
            return List{c.job(), d};
          });
  }
  SECTION("scatter along the tree") {
    check([](const Member& m, const Case& c) { return scatter_binary_tree(m, c.bytes, c.root); },
          [](const Case& c, int r) { return scatter_tree(c, r, c.bytes); });
  }
  SECTION("all-gather, direct") {
    check([](const Member& m, const Case& c) { return all_gather_direct(m, share(c, m.rank)); },
          [](const Case& c, int r) { return all_at_once(c, r, [&](int) { return share(c, r); }); });
  }
  SECTION("all-gather in a ring") {
    check([](const Member& m, const Case& c) { return all_gather_ring(m, shares(c)); },
          [](const Case& c, int r) { return ring(c, r, [&](int member) { return share(c, member); }); });
  }
  SECTION("all-to-all, direct") {
    check([](const Member& m, const Case& c) { return all_to_all_direct(m, shares(c)); },
          [](const Case& c, int r) { return all_at_once(c, r, [&](int to) { return share(c, to); }); });
  }
}

TEST_CASE("a virtual call ends when those have come whom it needs") {
  Random random(5);
  for (int i = 0; i < 150; ++i) {
    const Case c = random_case(random);
    const auto first = static_cast<int>(random.below(c.ranks));
    const auto last = static_cast<int>(random.between(first, c.ranks - 1));
    std::vector<std::int64_t> begin;
    for (int r = 0; r < c.ranks; ++r) begin.push_back(random.below(2000000));
    std::vector<std::int64_t> expected;
    for (int r = 0; r < c.ranks; ++r)
      expected.push_back(std::max(begin[static_cast<std::size_t>(r)],
                                  *std::max_element(begin.begin() + first, begin.begin() + last + 1)) +
                         c.costs.step_ns);
    REQUIRE(ends(
                c, [&](const Member& m, const Case&) { return virtual_call(m, first, last); }, begin) == expected);
  }
}

TEST_CASE("a virtual part of a call does not take ranks for there that are in the part before it") {
  hypermon::CollectivesParams by;
  by.reduce = hypermon::ReduceBy::none;
  by.scatter = hypermon::ScatterBy::none;
  Case c{.ranks = 3, .root = 0, .bytes = 10, .limit = 0, .combining = {}, .costs = {}};
  const std::vector<std::int64_t> begin{0, 0, 5000000};
  const auto ended = ends(
      c,
      [&](const Member& m, const Case&) {
        return reduce_scatter(m, by, {10, 10, 10});
      },
      begin);
  // Rank 0 has the reduction's result when the message of rank 2 has arrived, two steps after its begin; then it has
  // two steps of its own.
  const std::int64_t reduced = begin[2] + 2 * c.costs.step_ns;
  CHECK(ended == std::vector<std::int64_t>(3, reduced + 2 * c.costs.step_ns));
}
