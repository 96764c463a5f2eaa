// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/tree.hpp"
#include "tests/catch.hpp"

using namespace hypermon;
using namespace hypermon::supermon;

TEST_CASE("every daemon but the root is below one other, and every node below the root") {
  for (std::uint32_t nodes = 1; nodes < 70; ++nodes)
    for (std::uint32_t fan_out = 2; fan_out < 9; ++fan_out) {
      CAPTURE(nodes, fan_out);
      const Tree tree(nodes, fan_out);
      CHECK(tree.below(tree.root()) == NodeRuns::first(nodes));
      CHECK_FALSE(tree.parent(tree.root()).has_value());
      std::uint32_t most = 0;
      std::uint32_t least = fan_out;
      for (std::uint32_t s = 0; s < tree.supermons(); ++s) {
        NodeRuns below;
        for (const Peer child : tree.children(tree.supermon(s))) {
          CHECK(tree.parent(child) == tree.supermon(s));
          CHECK(tree.below(child).both(below).empty());
          CHECK(tree.height(child) == tree.height(tree.supermon(s)) - 1);
          below = below.united(tree.below(child));
        }
        CHECK(tree.below(tree.supermon(s)) == below);
        const auto children = static_cast<std::uint32_t>(tree.children(tree.supermon(s)).size());
        CHECK(children <= fan_out);
        if (tree.height(tree.supermon(s)) == 1) {
          most = std::max(most, children);
          least = std::min(least, children);
        }
      }
      CHECK(most - least <= 1);
      for (std::uint32_t n = 0; n < nodes; ++n) CHECK(tree.parent(tree.mon(NodeId{n})).has_value());
    }
}

TEST_CASE("levels are as many as it takes") {
  CHECK(Tree(1, 16).supermons() == 1);
  CHECK(Tree(16, 16).supermons() == 1);
  CHECK(Tree(17, 16).supermons() == 3);
  CHECK(Tree(64, 16).supermons() == 5);
  CHECK(Tree(4096, 16).supermons() == 1 + 16 + 256);
  CHECK(Tree(4096, 16).height(Tree(4096, 16).root()) == 3);
}
