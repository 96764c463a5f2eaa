// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/unlimited_drains.hpp"
#include <utility>

namespace hypermon {

UnlimitedDrains::UnlimitedDrains(std::span<const std::int64_t> frame_edges, std::size_t lanes) : lanes_(lanes) {
  for (const std::int64_t edges : frame_edges) drains_.push_back({edges});
}

void UnlimitedDrains::push(const PushBlock& block) {
  std::array<Drain*, most_lanes> some;
  std::size_t n = 0;
  for (Drain& d : drains_) {
    if (block.has_lanes &&
        d.backlog + d.frame_edges * static_cast<std::int64_t>(block.size()) < PushBlock::lane_limit) {
      some[n++] = &d;
      if (n == lanes_) push_in_lanes(block, std::span(some).first(std::exchange(n, 0)));
      continue;
    }
    push_alone(block, d);
    d.most = std::max(d.most, d.block_most);
  }
  if (n > 0) push_in_lanes(block, std::span(some).first(n));
}

void UnlimitedDrains::push_alone(const PushBlock& block, Drain& d) {
  std::int64_t until = block.before + d.backlog; // edge
  std::int64_t most = -1;
  for (const FramePush& p : block.pushes) {
    most = std::max(most, until - p.edge);
    until = std::max(until, p.edge + 1) + d.frame_edges;
  }
  d.backlog = until - block.last_edge();
  d.block_most = most;
}

template <class L>
[[gnu::always_inline]] inline void UnlimitedDrains::push_in(const PushBlock& block, std::span<Drain* const> drains) {
  using Vector = typename L::Vector;
  typename L::Vectors backlog{};
  typename L::Vectors frame{};
  typename L::Vectors most;
  for (Vector& v : most) v = Vector{} - 1;
  for (std::size_t l = 0; l < drains.size(); ++l) {
    backlog[l / L::per_vector][l % L::per_vector] = static_cast<std::int32_t>(drains[l]->backlog);
    frame[l / L::per_vector][l % L::per_vector] = static_cast<std::int32_t>(drains[l]->frame_edges);
  }
  const Vector one = Vector{} + 1;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Vector gap = Vector{} + block.gaps[i];
#pragma GCC unroll 8 // keeps the vectors in registers
    for (std::size_t v = 0; v < L::vectors; ++v) {
      const Vector found = backlog[v] - gap;
      most[v] = most[v] > found ? most[v] : found;
      backlog[v] = (found > one ? found : one) + frame[v];
    }
  }
  for (std::size_t l = 0; l < drains.size(); ++l) {
    Drain& d = *drains[l];
    d.backlog = backlog[l / L::per_vector][l % L::per_vector];
    d.block_most = most[l / L::per_vector][l % L::per_vector];
    d.most = std::max(d.most, d.block_most);
  }
}

[[gnu::target("avx2")]] void UnlimitedDrains::push_in_wide_lanes(const PushBlock& block,
                                                                 std::span<Drain* const> drains) {
  push_in<WideLanes>(block, drains);
}

void UnlimitedDrains::push_in_lanes(const PushBlock& block, std::span<Drain* const> drains) {
  if (lanes_ > Lanes::number) return push_in_wide_lanes(block, drains);
  push_in<Lanes>(block, drains);
}

} // namespace hypermon
