// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/unlimited_drains.hpp"
#include <utility>

namespace hypermon {

UnlimitedDrains::UnlimitedDrains(std::span<const std::int64_t> frame_edges) {
  for (const std::int64_t edges : frame_edges) drains_.push_back({edges});
}

void UnlimitedDrains::push(const PushBlock& block) {
  std::array<Drain*, lanes_at_once> some;
  std::size_t n = 0;
  for (Drain& d : drains_) {
    if (d.backlog + d.frame_edges * static_cast<std::int64_t>(block.size()) < PushBlock::lane_limit) {
      some[n++] = &d;
      if (n == some.size()) push_in_lanes(block, std::span(some).first(std::exchange(n, 0)));
      continue;
    }
    d.block_most = -1;
    for (std::size_t i = 0; i < block.size(); ++i) {
      d.backlog -= block.gap(i);
      d.block_most = std::max(d.block_most, d.backlog);
      d.backlog = std::max<std::int64_t>(d.backlog, 1) + d.frame_edges;
    }
    d.most = std::max(d.most, d.block_most);
  }
  if (n > 0) push_in_lanes(block, std::span(some).first(n));
}

void UnlimitedDrains::push_in_lanes(const PushBlock& block, std::span<Drain*> drains) {
  std::array<Lanes, vectors_at_once> backlog{};
  std::array<Lanes, vectors_at_once> frame{};
  std::array<Lanes, vectors_at_once> most;
  most.fill(all(-1));
  for (std::size_t l = 0; l < drains.size(); ++l) {
    backlog[l / lanes_per_vector][l % lanes_per_vector] = static_cast<std::int32_t>(drains[l]->backlog);
    frame[l / lanes_per_vector][l % lanes_per_vector] = static_cast<std::int32_t>(drains[l]->frame_edges);
  }
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Lanes gap = all(block.gaps[i]);
#pragma GCC unroll 8 // keeps the vectors in registers
    for (std::size_t v = 0; v < vectors_at_once; ++v) {
      const Lanes found = backlog[v] - gap;
      most[v] = greater(most[v], found);
      backlog[v] = greater(found, all(1)) + frame[v];
    }
  }
  for (std::size_t l = 0; l < drains.size(); ++l) {
    Drain& d = *drains[l];
    d.backlog = backlog[l / lanes_per_vector][l % lanes_per_vector];
    d.block_most = most[l / lanes_per_vector][l % lanes_per_vector];
    d.most = std::max(d.most, d.block_most);
  }
}

} // namespace hypermon
