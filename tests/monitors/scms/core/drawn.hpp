// SPDX-License-Identifier: BSD-3-Clause
// Random designs of SCMS/RMS.
#pragma once
#include "tests/monitors/scms/core/world.hpp"

#include <random>

namespace hypermon::scms::testing {

using Random = std::mt19937_64;

inline std::uint64_t below(Random& random, std::uint64_t count) { return random() % count; }
inline bool flip(Random& random) { return below(random, 2) == 1; }

inline std::vector<NodeId> nodes_in(std::uint32_t count) {
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < count; ++n) nodes.push_back(NodeId{n});
  return nodes;
}

/// Nodes in random order, partitions of random sizes and depths.
inline Partition drawn_partition(Random& random, std::vector<NodeId> nodes, int depth) {
  Partition partition;
  while (!nodes.empty()) {
    const std::size_t count = 1 + below(random, nodes.size());
    std::vector<NodeId> part(nodes.end() - static_cast<std::ptrdiff_t>(count), nodes.end());
    nodes.resize(nodes.size() - count);
    if (depth == 0 || below(random, 3) == 0)
      partition.nodes.insert(partition.nodes.end(), part.begin(), part.end());
    else
      partition.partitions.push_back(drawn_partition(random, std::move(part), depth - 1));
  }
  return partition;
}

inline Tree drawn_tree(Random& random, std::uint32_t most) {
  const auto count = static_cast<std::uint32_t>(1 + below(random, most));
  std::vector<NodeId> nodes = nodes_in(count);
  if (flip(random)) return Tree(count, even_partitions(count, static_cast<std::uint32_t>(2 + below(random, 5))));
  std::shuffle(nodes.begin(), nodes.end(), random);
  return Tree(count, drawn_partition(random, std::move(nodes), 3));
}

inline NodeSet drawn_nodes(Random& random, std::uint32_t count) {
  std::vector<NodeId> nodes;
  for (std::uint32_t n = 0; n < count; ++n)
    if (flip(random)) nodes.push_back(NodeId{n});
  if (nodes.empty()) nodes = nodes_in(count);
  return node_set(std::move(nodes));
}

inline constexpr std::uint32_t functions = 4;

/// (1, 0), (1, 1), ... some of them.
inline ResourceVector drawn_resources(Random& random) {
  std::vector<Resource> resources;
  for (std::uint32_t f = 0; f < functions; ++f)
    if (flip(random)) resources.push_back(resource(1, f));
  if (resources.empty()) resources.push_back(resource(1, 0));
  if (flip(random)) std::reverse(resources.begin(), resources.end());
  return resource_vector(std::move(resources));
}

inline Costs drawn_costs(Random& random) {
  const auto us = [&](std::uint64_t most) {
    return Time::from_ns(static_cast<std::int64_t>(1000 * below(random, most)));
  };
  return {.send = us(50),
          .receive = us(50),
          .byte_ns = 5,
          .merged_byte_ns = 1,
          .name = us(2),
          .value = us(10),
          .request = 32,
          .reply = 32,
          .id = 8,
          .stamp = 8,
          .names_each = flip(random)};
}

/// Two groups of functions at periods of some ms, every technique on or off.
inline Design drawn_design(Random& random, std::uint32_t most_nodes) {
  Design design{.tree = drawn_tree(random, most_nodes), .costs = drawn_costs(random)};
  const auto period = [&] { return 10_ms + Time::from_ns(static_cast<std::int64_t>(1000 * below(random, 20'000))); };
  design.groups = {{period(), resource_vector({resource(1, 0), resource(1, 1)})},
                   {period(), resource_vector({resource(1, 2)})}};
  design.collect = below(random, 4) == 0 ? Collect::pull : Collect::push;
  design.scope = flip(random) ? Scope::whole : Scope::partition;
  design.pipelining = flip(random);
  design.merge_requests = flip(random);
  design.merge_replies = flip(random);
  if (flip(random)) design.filter = 0;
  design.spread = flip(random) ? 0.5 : 0;
  design.wait = 2_ms;
  design.pull_offset = 1_ms;
  if (flip(random)) design.part = static_cast<std::int64_t>(1 + below(random, 100));
  return design;
}

} // namespace hypermon::scms::testing
