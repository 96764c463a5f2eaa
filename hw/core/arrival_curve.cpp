#include "hw/core/arrival_curve.hpp"
#include <algorithm>
#include <bit>
#include <limits>

namespace hypermon {

ArrivalCurve::ArrivalCurve() {
  for (std::size_t n = 1; n <= longest; n += n < 32 ? 1 : std::bit_floor(n) / 16)
    grid_.push_back(static_cast<std::int64_t>(n));
  spans_.assign(grid_.size(), std::numeric_limits<std::int64_t>::max());
  spans_.front() = 0;
  edges_.reserve(most_edges);
}

void ArrivalCurve::push(std::span<const FramePush> pushes) {
  while (!pushes.empty()) {
    if (edges_.size() == most_edges) edges_.erase(edges_.begin(), edges_.end() - longest);
    const std::size_t begin = edges_.size();
    const std::size_t n = std::min(pushes.size(), most_edges - begin);
    for (const FramePush& p : pushes.first(n)) edges_.push_back(p.edge);
    for (std::size_t g = 1; g < grid_.size(); ++g) {
      const auto before = static_cast<std::size_t>(grid_[g] - 1); // the span's first is so many before its last
      std::int64_t shortest = spans_[g];
      for (std::size_t i = std::max(begin, before); i < edges_.size(); ++i)
        shortest = std::min(shortest, edges_[i] - edges_[i - before]);
      spans_[g] = shortest;
    }
    frames_ += static_cast<std::int64_t>(n);
    pushes = pushes.subspan(n);
  }
}

std::int64_t ArrivalCurve::depth_bound(std::int64_t frame_edges) const {
  std::int64_t bound = 1;
  for (std::int64_t shared = 0, span = 0; shared < frames_; shared += grid_.back() - 1, span += spans_.back())
    for (std::size_t g = 0; g + 1 < grid_.size() && shared + grid_[g] <= frames_; ++g) {
      const std::int64_t most = std::min(shared + grid_[g + 1] - 1, frames_);
      const std::int64_t read = std::max<std::int64_t>((span + spans_[g] - 2) / frame_edges, 0);
      bound = std::max(bound, most - read);
    }
  return bound;
}

} // namespace hypermon
