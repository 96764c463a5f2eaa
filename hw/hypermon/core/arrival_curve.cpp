// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/arrival_curve.hpp"
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace hypermon {

namespace {

/// Minimum of `least` and of last[i] - first[i] for all i below n.
std::int64_t least_of(std::int64_t least, const std::int64_t* first, const std::int64_t* last, std::size_t n) {
  using Pair = std::int64_t __attribute__((vector_size(16)));
  constexpr std::size_t width = 2, pairs = 4; // pairs that do not wait for each other
  std::size_t i = 0;
  if (n >= width * pairs) {
    Pair found[pairs];
    for (Pair& pair : found) pair = Pair{} + least;
    for (; i + width * pairs <= n; i += width * pairs)
#pragma GCC unroll 4
      for (std::size_t p = 0; p < pairs; ++p) {
        Pair a, b;
        std::memcpy(&a, first + i + width * p, sizeof a);
        std::memcpy(&b, last + i + width * p, sizeof b);
        const Pair span = b - a;
        found[p] = span < found[p] ? span : found[p];
      }
    for (const Pair& pair : found) least = std::min({least, pair[0], pair[1]});
  }
  for (; i < n; ++i) least = std::min(least, last[i] - first[i]);
  return least;
}

} // namespace

ArrivalCurve::Level::Level(bool all) {
  // For fewer samples than half of the longest, the level below gives a tighter bound.
  for (std::size_t n = 1; n <= longest; n += n < 32 ? 1 : std::bit_floor(n) / 16)
    if (all || n > longest / 2) grid_.push_back(n);
  spans_.assign(grid_.size(), std::numeric_limits<std::int64_t>::max());
}

void ArrivalCurve::Level::push(std::span<const std::int64_t> samples, std::vector<std::int64_t>& every_second) {
  for (std::size_t i = (samples_ + 1) % 2; i < samples.size(); i += 2) every_second.push_back(samples[i]);
  samples_ += samples.size();
  while (!samples.empty()) {
    if (edges_.size() == most_edges) {
      for (std::size_t g = 0; g < grid_.size(); ++g) spans_[g] = span(g);
      edges_.erase(edges_.begin(), edges_.end() - longest);
      seen_ = edges_.size();
    }
    const std::size_t n = std::min(samples.size(), most_edges - edges_.size());
    edges_.insert(edges_.end(), samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(n));
    samples = samples.subspan(n);
  }
}

std::int64_t ArrivalCurve::Level::span(std::size_t on_grid) const {
  const std::size_t before = grid_[on_grid] - 1; // number of samples from the span's first to its last
  std::int64_t shortest = spans_[on_grid];
  std::size_t begin = std::max(seen_, before);
  if (begin >= edges_.size()) return shortest;
  const std::size_t block = before < 32 ? edges_.size() - begin : before / 8;
  for (; begin < edges_.size(); begin += block) {
    const std::size_t n = std::min(block, edges_.size() - begin);
    // The shortest conceivable span that ends in the block reaches from the first sample of its last span to the last
    // sample of its first span. If even that is not shorter, the block cannot lower the minimum.
    if (edges_[begin] - edges_[begin + n - 1 - before] >= shortest) continue;
    shortest = least_of(shortest, &edges_[begin - before], &edges_[begin], n);
  }
  return shortest;
}

void ArrivalCurve::push(std::span<const FramePush> pushes) {
  frames_ += static_cast<std::int64_t>(pushes.size());
  samples_.clear();
  for (const FramePush& p : pushes) samples_.push_back(p.edge);
  for (std::size_t level = 0; !samples_.empty(); ++level) {
    if (level == levels_.size()) levels_.emplace_back(level == 0);
    next_.clear();
    levels_[level].push(samples_, next_);
    std::swap(samples_, next_);
  }
}

std::vector<ArrivalCurve::Point> ArrivalCurve::points() const {
  std::vector<Point> points;
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (std::size_t g = 0; g < levels_[level].grid().size(); ++g) {
      const std::int64_t frames = static_cast<std::int64_t>(levels_[level].grid()[g]) << level;
      if (frames <= frames_) points.push_back({frames, levels_[level].span(g)});
    }
  return points;
}

std::vector<std::int64_t> ArrivalCurve::depth_bounds(std::span<const std::int64_t> frame_edges) const {
  const std::vector<Point> points = this->points();
  std::vector<std::int64_t> bounds;
  for (const std::int64_t edges : frame_edges) {
    std::int64_t bound = 1;
    // For each point, over all frame counts below the next point: the largest number of frames in excess of those that
    // the reader, without its latency, reads in their span.
    std::vector<std::int64_t> excess;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto [frames, span] = points[i];
      const std::int64_t end = i + 1 < points.size() ? points[i + 1].frames : frames_ + 1;
      // A longer count is frames + r - 1 with r from 1 to end - frames. Spans are super-additive, and so are the whole
      // frames read in them.
      const auto after = std::ranges::upper_bound(points, end - frames, {}, &Point::frames) - points.begin();
      const std::int64_t more = i == 0 ? 1 : excess[static_cast<std::size_t>(after) - 1];
      excess.push_back(std::max(i == 0 ? 0 : excess.back(), frames - 1 - span / edges + more));
      bound = std::max(bound, frames - 1 - std::max<std::int64_t>((span - 2) / edges, 0) + more);
    }
    bounds.push_back(bound);
  }
  return bounds;
}

} // namespace hypermon
