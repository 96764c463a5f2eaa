// SPDX-License-Identifier: BSD-3-Clause
// What a frame FIFO is given: frames a gap apart, and long silences.
#pragma once
#include "hw/hypermon/core/frame_push.hpp"
#include "tests/random.hpp"
#include <vector>

namespace hypermon::testing {

inline std::vector<FramePush> random_pushes(Random& r, std::size_t n, std::int64_t longest_gap) {
  std::vector<FramePush> pushes;
  std::int64_t edge = r.between(2, 100);
  for (; pushes.size() < n; edge += r.one_in(50) ? longest_gap * r.below(1000) + 2 : r.between(2, longest_gap))
    pushes.push_back({edge, static_cast<std::uint32_t>(r.between(0, 32))});
  return pushes;
}

} // namespace hypermon::testing
