// SPDX-License-Identifier: BSD-3-Clause
// The arrival curve against a naive search for its spans, and its bound against what frames a FIFO would have to hold.
#include "hw/hypermon/core/arrival_curve.hpp"
#include "hw/hypermon/core/unlimited_drains.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/random_pushes.hpp"

using namespace hypermon;
using namespace hypermon::testing;

TEST_CASE("an arrival curve's spans are the shortest that there are, however its pushes are cut") {
  const auto n = GENERATE(std::size_t{1}, std::size_t{31}, std::size_t{700}, std::size_t{20'000}, std::size_t{270'000});
  for (std::uint64_t seed = 1; seed <= (n > 1000 ? 2 : 40); ++seed) {
    CAPTURE(n, seed);
    Random r(seed);
    auto pushes = random_pushes(r, n, r.pick({2, 4, 40}));
    if (r.one_in(3)) // the shorter, the later: none that was seen before is shorter
      for (std::int64_t gap = std::ssize(pushes), edge = 0; FramePush & p : pushes) p.edge = edge += 1 + gap-- / 100;
    ArrivalCurve curve;
    for (std::size_t from = 0; from < pushes.size();) {
      const std::size_t some = std::min(pushes.size() - from, static_cast<std::size_t>(r.pick({1, 7, 513, 100'000})));
      curve.push(std::span(pushes).subspan(from, some));
      from += some;
    }
    for (const auto [frames, span] : curve.points()) {
      CAPTURE(frames);
      // Up to `longest` of all pushes; beyond that of every second, fourth, ..., with correspondingly fewer.
      std::size_t every = 1;
      while (static_cast<std::size_t>(frames) / every > ArrivalCurve::longest) every *= 2;
      const std::size_t before = static_cast<std::size_t>(frames) - every;
      std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
      for (std::size_t last = before + every - 1; last < pushes.size(); ++last)
        if ((last + 1) % every == 0) shortest = std::min(shortest, pushes[last].edge - pushes[last - before].edge);
      REQUIRE(span == shortest);
    }
  }
}

TEST_CASE("the bound holds for more frames than the arrival curve follows one by one") {
  Random r(1);
  const auto pushes = random_pushes(r, 2 * ArrivalCurve::longest + 12'345, 40);
  const std::vector<std::int64_t> frame_edges{20, 200, 2000}; // the reader is faster than the frames, or far slower
  UnlimitedDrains drains(frame_edges);
  ArrivalCurve curve;
  std::int64_t last = -PushBlock::lane_limit;
  for (std::span<const FramePush> left(pushes); !left.empty();) {
    const PushBlock block(left, last);
    drains.push(block);
    curve.push(block.pushes);
    last = block.last_edge();
    left = left.subspan(block.size());
  }
  const auto bounds = curve.depth_bounds(frame_edges);
  for (std::size_t i = 0; i < frame_edges.size(); ++i) {
    CAPTURE(frame_edges[i]);
    CHECK(bounds[i] >= drains.least_depth(i));
    CHECK(bounds[i] <= drains.least_depth(i) + std::ssize(pushes) / 16);
  }
  REQUIRE(static_cast<std::size_t>(drains.least_depth(2)) > ArrivalCurve::longest);
}
