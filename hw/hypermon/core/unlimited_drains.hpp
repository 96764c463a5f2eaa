// SPDX-License-Identifier: BSD-3-Clause
// Frame FIFOs that never fill, drained by ideal readers at several speeds over the same frames.
#pragma once
#include "hw/hypermon/core/push_block.hpp"
#include <cstdint>
#include <vector>

namespace hypermon {

class UnlimitedDrains {
public:
  /// `frame_edges`: for each drain, the clock edges of reading a frame.
  explicit UnlimitedDrains(std::span<const std::int64_t> frame_edges, std::size_t lanes = lanes_here());

  void push(const PushBlock& block);

  std::size_t size() const { return drains_.size(); }
  std::int64_t frame_edges(std::size_t drain) const { return drains_[drain].frame_edges; }
  /// Backlog at the last push, including its frame.
  std::int64_t backlog(std::size_t drain) const { return drains_[drain].backlog; }
  /// Largest backlog that a push of the last block, or of all blocks, found; negative if each push found an idle
  /// reader.
  std::int64_t block_most(std::size_t drain) const { return drains_[drain].block_most; }
  std::int64_t most(std::size_t drain) const { return drains_[drain].most; }
  /// Least depth without loss: room for the frames that a push finds at most, and for its own. A frame that leaves at
  /// the very edge makes no room, so this can be one more than peak().
  std::int64_t least_depth(std::size_t drain) const {
    const Drain& d = drains_[drain];
    return d.most < 0 ? 1 : d.most / d.frame_edges + 2;
  }
  /// Most frames inside after an edge; at least 1.
  std::int64_t peak(std::size_t drain) const {
    const Drain& d = drains_[drain];
    return d.most < 0 ? 1 : (d.most + d.frame_edges - 1) / d.frame_edges + 1;
  }

private:
  struct Drain {
    std::int64_t frame_edges;
    std::int64_t backlog = 0;
    std::int64_t block_most = -1;
    std::int64_t most = -1;
  };
  static void push_alone(const PushBlock& block, Drain& drain);
  void push_in_lanes(const PushBlock& block, std::span<Drain* const> drains);
  static void push_in_wide_lanes(const PushBlock& block, std::span<Drain* const> drains);
  template <class L> static void push_in(const PushBlock& block, std::span<Drain* const> drains);

  std::vector<Drain> drains_;
  std::size_t lanes_;
};

} // namespace hypermon
