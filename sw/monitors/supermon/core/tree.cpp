// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/tree.hpp"

#include <algorithm>

namespace hypermon::supermon {

Tree::Tree(std::uint32_t nodes, std::uint32_t fan_out) : nodes_(nodes), daemons_(nodes) {
  for (std::uint32_t n = 0; n < nodes; ++n) daemons_[n].below = NodeRuns::single(NodeId{n});
  std::vector<std::uint32_t> widths{(nodes + fan_out - 1) / fan_out}; // widths of the levels, from the lowest up
  while (widths.back() > 1) widths.push_back((widths.back() + fan_out - 1) / fan_out);
  std::uint32_t first = 0; // first daemon that still needs a parent
  std::uint32_t count = nodes;
  std::uint32_t free = nodes; // next free number, after the root and the levels that follow
  for (const std::uint32_t width : widths) free += width;
  daemons_.resize(free);
  std::uint32_t height = 0;
  for (const std::uint32_t width : widths) {
    free -= width;
    ++height;
    for (std::uint32_t s = 0; s < width; ++s) {
      Daemon& supermon = daemons_[free + s];
      supermon.height = height;
      const auto bound = [&](std::uint64_t part) { return static_cast<std::uint32_t>(part * count / width); };
      for (std::uint32_t c = bound(s); c < bound(s + 1); ++c) {
        supermon.children.push_back(Peer{first + c});
        supermon.below = supermon.below.united(daemons_[first + c].below);
        daemons_[first + c].parent = Peer{free + s};
      }
    }
    first = free;
    count = width;
  }
}

} // namespace hypermon::supermon
