// SPDX-License-Identifier: BSD-3-Clause
// Runs of nodes against sets of them.
#include "sw/monitors/supermon/core/node_runs.hpp"
#include "tests/catch.hpp"
#include "tests/volume.hpp"

#include <algorithm>
#include <random>
#include <set>

using namespace hypermon;
using namespace hypermon::supermon;

namespace {

using Set = std::set<std::uint32_t>;

NodeRuns runs_of(const Set& set) {
  NodeRuns runs;
  for (const std::uint32_t n : set) runs = runs.united(NodeRuns::single(NodeId{n}));
  return runs;
}

Set set_of(const NodeRuns& runs) {
  Set set;
  for (const NodeId node : runs.nodes()) set.insert(index(node));
  return set;
}

std::string written(const NodeRuns& runs) {
  SexprWriter out;
  out.open("nodes");
  runs.write(out);
  return out.close().take();
}

} // namespace

TEST_CASE("runs of nodes are the sets that they stand for") {
  const std::uint64_t cases = hypermon::testing::cases_wanted(3000);
  std::mt19937_64 random(1);
  for (std::uint64_t i = 0; i < cases; ++i) {
    CAPTURE(i);
    const auto drawn = [&] {
      Set set;
      const std::uint64_t share = random() % 5;
      for (std::uint32_t n = 0; n < 24; ++n)
        if (random() % 4 < share) set.insert(n);
      return set;
    };
    const Set a = drawn();
    const Set b = drawn();
    Set both;
    Set without;
    Set either;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::inserter(both, both.end()));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(without, without.end()));
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::inserter(either, either.end()));
    const NodeRuns left = runs_of(a);
    const NodeRuns right = runs_of(b);
    CHECK(set_of(left) == a);
    CHECK(left.count() == a.size());
    CHECK(set_of(left.both(right)) == both);
    CHECK(set_of(left.without(right)) == without);
    CHECK(set_of(left.united(right)) == either);
    CHECK(left.united(right) == right.united(left));
    CHECK((left == right) == (a == b));
    for (std::uint32_t n = 0; n < 25; ++n) CHECK(left.contains(NodeId{n}) == a.contains(n));
    const Document document(written(left));
    CHECK(NodeRuns::read(document.root()) == left);
  }
}

TEST_CASE("a run is written as a range, a single node as its number") {
  CHECK(written(runs_of({0, 1, 2, 5, 7, 8})) == "(nodes 0-2 5 7-8)");
  CHECK(written(NodeRuns()) == "(nodes)");
  CHECK(written(NodeRuns::first(4096)) == "(nodes 0-4095)");
}

TEST_CASE("what is no set of nodes is refused with its place") {
  for (const char* text : {"(nodes 3 2)", "(nodes 0-4 4)", "(nodes a)", "(nodes 4-2)", "(nodes 1-)", "(nodes (1))"}) {
    const Document document{std::string(text)};
    CAPTURE(text);
    CHECK_THROWS_AS(NodeRuns::read(document.root()), SexprError);
  }
}
