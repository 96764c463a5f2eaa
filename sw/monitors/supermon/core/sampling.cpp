// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/core/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace hypermon::supermon {

NodeRuns drawn(const NodeRuns& all, const NodeSample& sample, std::uint64_t number) {
  std::vector<NodeId> nodes = all.nodes();
  const std::uint64_t there = nodes.size();
  const auto wanted = static_cast<std::uint64_t>(std::ceil(sample.share * static_cast<double>(there)));
  if (wanted >= there) return all;
  std::vector<NodeId> found;
  if (sample.how == NodeSampling::rotate) {
    for (std::uint64_t i = 0; i < wanted; ++i) found.push_back(nodes[(number * wanted + i) % there]);
  } else {
    std::mt19937_64 random(sample.seed +
                           0x9e3779b97f4a7c15U * (number + 1)); // golden ratio: queries differ in all bits
    for (std::uint64_t i = 0; i < wanted; ++i) {
      std::swap(nodes[i], nodes[i + random() % (there - i)]);
      found.push_back(nodes[i]);
    }
  }
  std::ranges::sort(found);
  return NodeRuns::from_nodes(found);
}

} // namespace hypermon::supermon
