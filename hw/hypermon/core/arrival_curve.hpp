// SPDX-License-Identifier: BSD-3-Clause
// The empirical arrival curve of network calculus: the largest number of frames that arrive within any interval of a
// given length.
#pragma once
#include "hw/hypermon/core/frame_push.hpp"
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hypermon {

/// For frame counts n on a grid (every n up to 32, then 16 per octave): a lower bound of the span of n successive
/// pushes, from the first to the last. Up to `longest` frames the bound is the exact minimum. Beyond, only every second
/// push is sampled, then every fourth and so on; any n pushes contain n / 2, n / 4 of these samples. Memory grows with
/// the logarithm of the stream's length.
///
/// Between grid points spans follow from super-additivity: m + n - 1 frames consist of m and n frames that share one
/// frame, so span(m + n - 1) >= span(m) + span(n).
class ArrivalCurve {
public:
  static constexpr std::size_t longest = 1 << 16;

  /// The edges of the pushes increase.
  void push(std::span<const FramePush> pushes);

  /// For each reader, given by the edges that it needs per frame: the largest vertical distance between the arrival
  /// curve and the reader's service curve. It is at least the depth that a FIFO needs to lose nothing
  /// (UnlimitedDrains::least_depth()).
  ///
  /// If n pushes span t edges, the last one finds those frames that have not left. Reading began at the latest one edge
  /// after the first push, so floor((t - 2) / frame_edges) frames have left. (That is the service of rate 1 /
  /// frame_edges after a latency of frame_edges + 1, in whole frames.) With the exact span of every n the bound would
  /// be the least depth.
  std::vector<std::int64_t> depth_bounds(std::span<const std::int64_t> frame_edges) const;

  struct Point {
    std::int64_t frames;
    std::int64_t span; ///< edges
  };
  /// Points of the grid up to the number of pushed frames. Any `frames` successive frames span at least `span` edges.
  std::vector<Point> points() const;

private:
  /// Spans of every 2^level-th push.
  class Level {
  public:
    explicit Level(bool all);
    /// Adds samples. Returns every second one (the second, the fourth, ...), which are the next level's samples.
    void push(std::span<const std::int64_t> samples, std::vector<std::int64_t>& every_second);
    const std::vector<std::size_t>& grid() const { return grid_; }
    std::int64_t span(std::size_t on_grid) const;

  private:
    static constexpr std::size_t most_edges = 4 * longest;
    std::vector<std::size_t> grid_;   // numbers of samples
    std::vector<std::int64_t> spans_; // shortest span in edges of the samples that end before edges_[seen_]
    std::vector<std::int64_t> edges_; // edges of the last samples
    std::size_t seen_ = 0;
    std::uint64_t samples_ = 0;
  };
  std::vector<Level> levels_;
  std::int64_t frames_ = 0;
  std::vector<std::int64_t> samples_; // samples of the current level
  std::vector<std::int64_t> next_;    // samples of the next level
};

} // namespace hypermon
