// SPDX-License-Identifier: BSD-3-Clause
// The kernels that follow many frame FIFOs over one stream of frames, against each FIFO alone.
#include "hw/hypermon/core/drain_designs.hpp"
#include "hw/hypermon/core/frame_drains.hpp"
#include "tests/catch.hpp"
#include "tests/monitors/hypermon/core/random_pushes.hpp"
#include <algorithm>
#include <deque>
#include <initializer_list>
#include <span>

using namespace hypermon;
using namespace hypermon::testing;

namespace {

/// Counts of a design's frame FIFO by itself.
DrainCounts alone(const DrainDesign& design, std::span<const FramePush> pushes) {
  FrameDrain drain(design.depth, WhenFull::drop_newest, Reader({}, {}), design.frame_edges);
  const auto ignore_level = [](std::int64_t, std::size_t) {};
  for (const FramePush& p : pushes) drain.push(p, ignore_level);
  drain.finish(ignore_level);
  return drain.counts();
}

/// Counts by the kernel for many designs, but without lanes.
DrainCounts single(const DrainDesign& design, std::span<const FramePush> pushes) {
  DrainDesigns drains(std::span(&design, 1));
  drains.push(pushes);
  return drains.counts(0);
}

/// Pushes in pieces of one of these sizes.
void push_cut(auto& drains, std::span<const FramePush> pushes, Random& r, std::initializer_list<int> sizes) {
  while (!pushes.empty()) {
    const std::size_t n = std::min(pushes.size(), static_cast<std::size_t>(r.pick(sizes)));
    drains.push(pushes.first(n));
    pushes = pushes.subspan(n);
  }
}

} // namespace

TEST_CASE("backlogs too long for 32 bits are followed as exactly as short ones") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    const auto pushes = random_pushes(r, 6000, r.pick({4, 100, 1'000'000, PushBlock::lane_limit}));
    std::vector<DrainDesign> designs;
    for (const std::int64_t depth : {1, 2, 50, 1030, 2000, 5000})
      for (const std::int64_t edges : {1, 64, 700'000, 1'100'000}) designs.push_back({depth, edges});
    REQUIRE(1030 * std::int64_t{1'100'000} > PushBlock::lane_limit);
    DrainDesigns together(designs);
    push_cut(together, pushes, r, {1, 7, 511, 513, 3000});
    for (std::size_t i = 0; i < designs.size(); ++i) {
      CAPTURE(designs[i].depth, designs[i].frame_edges);
      const DrainCounts expected = alone(designs[i], pushes);
      REQUIRE(together.counts(i) == expected);
      REQUIRE(single(designs[i], pushes) == expected);
    }
  }
}

TEST_CASE("designs of one speed are as each is alone, in lanes of any width, whichever of them lose") {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    const auto pushes = random_pushes(r, 3000, r.pick({4, 20, 100}));
    std::vector<DrainDesign> designs;
    for (const std::int64_t edges : {1, 2, 7, 30, 64, 100})
      for (int i = 0; i < 12; ++i) designs.push_back({r.pick({1, 2, 3, 4, 5, 8, 16, r.between(1, 600)}), edges});
    DrainDesigns narrow(designs, Lanes::number);
    DrainDesigns here(designs);
    narrow.push(pushes);
    here.push(pushes);
    for (std::size_t i = 0; i < designs.size(); ++i) {
      CAPTURE(designs[i].depth, designs[i].frame_edges);
      const DrainCounts expected = alone(designs[i], pushes);
      REQUIRE(narrow.counts(i) == expected);
      REQUIRE(here.counts(i) == expected);
      REQUIRE(single(designs[i], pushes) == expected);
    }
  }
}

namespace {

/// A frame FIFO and its reader, looked at at every edge.
class NaiveDrain {
public:
  NaiveDrain(std::int64_t depth, WhenFull policy, const Reader& reader, std::int64_t frame_edges)
      : depth_(static_cast<std::size_t>(depth)), policy_(policy), reader_(reader), read_time_(cycles(frame_edges)) {}

  void push(const FramePush& push) {
    while (edge_ < push.edge) step(nullptr);
    step(&push);
  }
  DrainCounts finish() {
    while (!frames_.empty()) step(nullptr);
    return counts_;
  }

private:
  void step(const FramePush* push) {
    const Time at = cycles(edge_);
    const std::size_t before = frames_.size();
    const std::size_t waiting = before - (reader_.reading() ? 1 : 0);
    if (reader_.ends_at(at)) {
      frames_.pop_front();
      reader_.end_frame(at, 0_ps);
      ++counts_.drained;
      counts_.end = edge_;
    }
    if (reader_.starts_at(at, waiting)) reader_.start_frame(at, read_time_);
    if (push != nullptr) {
      counts_.most_found = std::max<std::uint64_t>(counts_.most_found, before);
      if (before >= depth_)
        lose(push->data);
      else
        frames_.push_back(push->data);
    }
    counts_.peak = std::max<std::uint64_t>(counts_.peak, frames_.size());
    ++edge_;
  }
  void lose(std::uint32_t words) {
    const std::size_t read = reader_.reading() ? 1 : 0;
    if (policy_ == WhenFull::drop_oldest && frames_.size() > read) {
      std::swap(words, frames_[read]);
      std::rotate(frames_.begin() + static_cast<std::ptrdiff_t>(read),
                  frames_.begin() + static_cast<std::ptrdiff_t>(read) + 1, frames_.end());
    }
    if (counts_.frames_lost++ == 0) counts_.first_overrun = edge_;
    counts_.words_lost += words;
  }

  std::size_t depth_;
  WhenFull policy_;
  Reader reader_;
  Time read_time_;
  std::deque<std::uint32_t> frames_;
  std::int64_t edge_ = 0;
  DrainCounts counts_;
};

} // namespace

TEST_CASE("depths of one reader are as each is alone, edge by edge, whatever it costs and however pushes are cut") {
  std::uint64_t lost = 0;
  std::uint64_t lossless = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    Random r(seed);
    const auto pushes = random_pushes(r, 600, r.pick({4, 20, 100}));
    const Reader reader({.word_ns = r.pick({1, 50, 350, 1 + r.below(3000)}), .module = {}},
                        {ReaderKind::group, r.pick({0, 1600, 30'000}), r.pick({0, 700}), r.pick({0, 90'000}), 5});
    const std::int64_t frame_edges = reader.read_time(1) / clock_period;
    const auto policy = r.pick({WhenFull::drop_newest, WhenFull::drop_oldest});
    std::vector<std::int64_t> depths;
    FrameDrains together(policy, reader, frame_edges);
    for (std::size_t i = 0; i < 8; ++i) {
      depths.push_back(r.pick<std::int64_t>({1, 2, 3, 8, r.between(1, 600), 1 << 24}));
      REQUIRE(together.add(depths.back()) == i);
    }
    push_cut(together, pushes, r, {1, 7, 511});
    together.finish();
    for (std::size_t i = 0; i < depths.size(); ++i) {
      CAPTURE(depths[i]);
      NaiveDrain naive(depths[i], policy, reader, frame_edges);
      for (const FramePush& p : pushes) naive.push(p);
      const DrainCounts expected = naive.finish();
      REQUIRE(together.counts(i) == expected);
      ++(expected.frames_lost > 0 ? lost : lossless);
    }
  }
  CHECK(lost > 50);
  CHECK(lossless > 50);
}
