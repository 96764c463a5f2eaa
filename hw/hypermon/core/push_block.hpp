// SPDX-License-Identifier: BSD-3-Clause
// A few pushes into the frame FIFO, laid out for many drains that run side by side in vectors of 32-bit lanes.
#pragma once
#include "hw/hypermon/core/frame_push.hpp"
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace hypermon {

/// A drain is described here by its backlog R: the edges from a push until the drain has read all that was pushed
/// before (spec sec. 3: s = max(f + 1, e of the frame before), e = s + D). While there is a backlog frames leave D
/// apart, so R gives the number of frames inside: floor(R / D) + 1 before the edge if R >= 0, else none. (This requires
/// pushes at least two edges apart: a frame that is pushed at the edge at which the reader begins the frame before
/// finds one frame inside, but R = D.)
struct PushBlock {
  static constexpr std::size_t most_pushes = 512;
  /// Backlogs and gaps in 32-bit lanes are below this limit. A longer gap is idle time, whatever its length.
  static constexpr std::int64_t lane_limit = 1 << 30;

  /// Takes the first `most_pushes` of `from`. `last_edge`: edge of the push before them. `lanes`: also fill the arrays
  /// that only drains in lanes need.
  PushBlock(std::span<const FramePush> from, std::int64_t last_edge, bool lanes = true)
      : pushes(from.first(std::min(from.size(), most_pushes))), before(last_edge), has_lanes(lanes) {
    if (!lanes) return;
    for (std::size_t i = 0; i < pushes.size(); ++i) gaps[i] = static_cast<std::int32_t>(std::min(gap(i), lane_limit));
  }
  /// Fills `words` with the numbers of data, which are not read before.
  void take_words() {
    if (has_lanes)
      for (std::size_t i = 0; i < pushes.size(); ++i) words[i] = static_cast<std::int32_t>(pushes[i].data);
  }
  std::size_t size() const { return pushes.size(); }
  std::int64_t gap(std::size_t i) const { return pushes[i].edge - (i == 0 ? before : pushes[i - 1].edge); }
  std::int64_t last_edge() const { return pushes.back().edge; }

  std::span<const FramePush> pushes;
  std::int64_t before;
  bool has_lanes;
  std::array<std::int32_t, most_pushes> gaps;
  std::array<std::int32_t, most_pushes> words;
};

template <class V> struct LanesOf {
  using Vector = V;
  static constexpr std::size_t per_vector = sizeof(V) / sizeof(std::int32_t);
  /// Vectors that are processed together, so that their steps do not wait for each other.
  static constexpr std::size_t vectors = 2;
  static constexpr std::size_t number = per_vector * vectors;
  using Vectors = std::array<V, vectors>;
};
using NarrowVector = std::int32_t __attribute__((vector_size(16)));
using WideVector = std::int32_t __attribute__((vector_size(32)));
using Lanes = LanesOf<NarrowVector>;   ///< on every processor
using WideLanes = LanesOf<WideVector>; ///< where there is AVX2
inline constexpr std::size_t most_lanes = WideLanes::number;
/// Number of lanes to use on this processor. Functions of wide lanes have [[gnu::target("avx2")]]. Results do not
/// depend on the number, as all arithmetic is on integers.
inline std::size_t lanes_here() {
  return static_cast<bool>(__builtin_cpu_supports("avx2")) ? WideLanes::number : Lanes::number;
}

} // namespace hypermon
