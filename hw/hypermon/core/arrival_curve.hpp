// SPDX-License-Identifier: BSD-3-Clause
// The empirical arrival curve of network calculus: how many frames come within any time of a given length.
#pragma once
#include "hw/hypermon/core/frame_push.hpp"
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hypermon {

/// For numbers n on a grid (each up to 32, then 16 in an octave) a span that no n successive pushes undercut, from the
/// first to the last. Up to `longest` frames it is the shortest that there is; then it is that of every second push,
/// every fourth, and so on, of which any n pushes have n / 2, n / 4. Memory grows with the stream's logarithm.
///
/// Between the grid's numbers spans follow from their being super-additive: m + n - 1 frames are m and n that share
/// one, so span(m + n - 1) >= span(m) + span(n).
class ArrivalCurve {
public:
  static constexpr std::size_t longest = 1 << 16;

  /// Edges rise.
  void push(std::span<const FramePush> pushes);

  /// For each reader, which reads a frame in so many edges, the largest vertical distance between the curve and its
  /// service: never less than the depth that a FIFO needs to lose nothing (UnlimitedDrains::least_depth()).
  ///
  /// Of n pushes whose span is t edges, the last finds those that have not left: reading began an edge after the first
  /// at the latest, so floor((t - 2) / frame_edges) have. (That is the service of rate 1 / frame_edges after a latency
  /// of frame_edges + 1, in whole frames.) With the span of every n this would be the least depth itself.
  std::vector<std::int64_t> depth_bounds(std::span<const std::int64_t> frame_edges) const;

  struct Point {
    std::int64_t frames;
    std::int64_t span; ///< edges
  };
  /// Of the grid, as far as there are frames: of any so many, the span is not less.
  std::vector<Point> points() const;

private:
  /// Every 2^level-th push.
  class Level {
  public:
    explicit Level(bool all);
    /// Samples; gives every second of them: the second, the fourth, ...
    void push(std::span<const std::int64_t> samples, std::vector<std::int64_t>& every_second);
    const std::vector<std::size_t>& grid() const { return grid_; }
    std::int64_t span(std::size_t on_grid) const;

  private:
    static constexpr std::size_t most_edges = 4 * longest;
    std::vector<std::size_t> grid_;   // numbers of samples
    std::vector<std::int64_t> spans_; // shortest, in edges, of those that end before edges_[seen_]
    std::vector<std::int64_t> edges_; // of the last samples
    std::size_t seen_ = 0;
    std::uint64_t samples_ = 0;
  };
  std::vector<Level> levels_;
  std::int64_t frames_ = 0;
  std::vector<std::int64_t> samples_; // of a level
  std::vector<std::int64_t> next_;    // of the next
};

} // namespace hypermon
