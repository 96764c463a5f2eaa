// SPDX-License-Identifier: BSD-3-Clause
// The tree of agents.
#include "sw/monitors/scms/core/tree.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <set>

using namespace hypermon;
using namespace hypermon::scms;

TEST_CASE("a tree by fan-out has every node once, no larger partition, and no more levels than it takes") {
  for (std::uint32_t fanout = 2; fanout <= 17; fanout += 3)
    for (std::uint32_t nodes = 1; nodes <= 300; nodes += nodes < 40 ? 1 : 37) {
      const Tree tree(nodes, even_partitions(nodes, fanout));
      std::multiset<std::uint32_t> seen;
      for (std::uint32_t s = 0; s < tree.smas(); ++s) {
        const Peer sma = tree.sma(s);
        CHECK(tree.children(sma).size() <= fanout);
        CHECK(!tree.children(sma).empty());
        for (const Peer child : tree.children(sma)) {
          CHECK(tree.parent(child) == sma);
          CHECK(tree.level(child) == tree.level(sma) + 1);
          if (tree.is_cma(child)) seen.insert(index(child));
        }
      }
      CHECK(seen.size() == nodes);
      CHECK(std::set(seen.begin(), seen.end()).size() == nodes);
      std::uint64_t reached = fanout;
      std::uint32_t depth = 1;
      for (; reached < nodes; reached *= fanout) ++depth;
      CHECK(tree.height(tree.root()) == depth);
    }
}

TEST_CASE("partitions of a level differ by one node at most") {
  const Tree tree(17, even_partitions(17, 16));
  REQUIRE(tree.smas() == 3);
  CHECK(tree.below(tree.sma(1))->size() == 9);
  CHECK(tree.below(tree.sma(2))->size() == 8);
}

TEST_CASE("an agent's ancestors lead to the root") {
  const Tree tree(
      5, {.nodes = {NodeId{4}},
          .partitions = {{.nodes = {NodeId{0}}, .partitions = {{{NodeId{1}, NodeId{3}}, {}}}}, {{NodeId{2}}, {}}}});
  const Peer deep{3};
  CHECK(tree.ancestors(deep) == std::vector{tree.sma(3), tree.sma(1), tree.root()});
  CHECK(tree.is_ancestor(tree.sma(1), deep));
  CHECK(!tree.is_ancestor(tree.sma(2), deep));
  CHECK(*tree.below(tree.sma(1)) == std::vector{NodeId{0}, NodeId{1}, NodeId{3}});
  CHECK(tree.height(tree.root()) == 3);
  CHECK(tree.height(tree.sma(2)) == 1);
  CHECK(tree.height(Peer{4}) == 0);
}
