// The empirical arrival curve of network calculus: how many frames come within any time of a given length.
#pragma once
#include "hw/core/frame_push.hpp"
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hypermon {

/// For numbers n on a grid (each up to 32, then 16 in an octave) the exact shortest span of n successive pushes, from
/// the first to the last, up to `longest` of them; so the curve is a true upper bound, and exact at the grid's spans.
/// Memory does not grow with the stream.
///
/// Beyond `longest` = m, spans follow from their being super-additive: m + n - 1 frames are m and n that share one, so
/// span(m + n - 1) >= span(m) + span(n).
class ArrivalCurve {
public:
  static constexpr std::size_t longest = 1 << 17;
  ArrivalCurve();

  /// Edges rise.
  void push(std::span<const FramePush> pushes);

  /// The largest vertical distance between the curve and the service of an ideal reader, which reads a frame in
  /// `frame_edges`: never less than the depth that a FIFO needs to lose nothing (UnlimitedDrains::least_depth()).
  ///
  /// Of n pushes whose span is t edges, the last finds those that have not left: reading began an edge after the first
  /// at the latest, so floor((t - 2) / frame_edges) have. (That is the service of rate 1 / frame_edges after a latency
  /// of frame_edges + 1, in whole frames.) The reader is only slower to begin where more wait; so with a span for each
  /// n the bound would be the least depth itself, and the grid adds at most 1/16 of the frames that come while it is
  /// filled.
  std::int64_t depth_bound(std::int64_t frame_edges) const;

private:
  static constexpr std::size_t most_edges = 4 * longest;
  std::vector<std::int64_t> grid_;  // numbers of frames
  std::vector<std::int64_t> spans_; // shortest, in edges; of as many frames as there were
  std::vector<std::int64_t> edges_; // of the last pushes
  std::int64_t frames_ = 0;
};

} // namespace hypermon
