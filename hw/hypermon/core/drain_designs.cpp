// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/drain_designs.hpp"
#include <utility>

namespace hypermon {

namespace {

std::vector<std::int64_t> speeds_of(std::span<const DrainDesign> designs) {
  std::vector<std::int64_t> speeds;
  for (const DrainDesign& d : designs) speeds.push_back(d.frame_edges);
  std::ranges::sort(speeds);
  speeds.erase(std::ranges::unique(speeds).begin(), speeds.end());
  return speeds;
}

} // namespace

DrainDesigns::DrainDesigns(std::span<const DrainDesign> designs)
    : speeds_(speeds_of(designs)), backlogs_before_(speeds_.size()) {
  const std::vector<std::int64_t> speeds = speeds_of(designs);
  for (const DrainDesign& d : designs) {
    const auto speed = std::ranges::lower_bound(speeds, d.frame_edges) - speeds.begin();
    designs_.push_back({static_cast<std::size_t>(speed), d.depth, (d.depth - 1) * d.frame_edges});
    order_.push_back(order_.size());
  }
  std::ranges::stable_sort(order_, {},
                           [this](std::size_t i) { return std::pair(designs_[i].speed, -designs_[i].depth); });
}

void DrainDesigns::push(std::span<const FramePush> pushes) {
  while (!pushes.empty()) {
    const PushBlock block(pushes, last_edge_);
    push(block);
    frames_ += block.size();
    last_edge_ = block.last_edge();
    pushes = pushes.subspan(block.size());
  }
}

void DrainDesigns::push(const PushBlock& block) {
  for (std::size_t s = 0; s < speeds_.size(); ++s) backlogs_before_[s] = speeds_.backlog(s);
  speeds_.push(block);
  differing_.clear();
  leaders_.clear();
  followed_.clear();
  alike_.clear();
  for (const std::size_t i : order_) {
    Design& d = designs_[i];
    if (d.unlimited && speeds_.block_most(d.speed) < d.limit) continue;
    if (d.unlimited) d.backlog = backlogs_before_[d.speed];
    differing_.push_back(&d);
    if (!leaders_.empty() && leaders_.back()->speed != d.speed) leaders_.clear();
    const auto room = [](const Design* of) { return of->limit - of->backlog; };
    const auto leader = std::ranges::find(leaders_, room(&d), room);
    if (leader != leaders_.end()) {
      alike_.push_back({&d, *leader});
    } else {
      leaders_.push_back(&d);
      followed_.push_back(&d);
    }
  }
  if (differing_.empty()) return;
  follow(block, followed_);
  followed_.clear();
  for (const auto& [design, leader] : alike_) {
    const std::int64_t deeper = leader->limit - design->limit;
    if (deeper == 0 ||
        leader->step.least - deeper >= 1) { // else the design is idle at a push that finds the leader busy
      design->step = leader->step;
      design->step.backlog -= deeper;
    } else {
      followed_.push_back(design);
    }
  }
  follow(block, followed_);
  for (Design* d : differing_) settle(block, *d);
}

void DrainDesigns::follow(const PushBlock& block, std::span<Design* const> designs) {
  std::array<Design*, lanes_at_once> some;
  std::size_t n = 0;
  for (Design* d : designs) {
    if (d->limit + frame_edges(*d) >= PushBlock::lane_limit)
      follow_alone(block, *d);
    else
      some[n++] = d;
    if (n == some.size()) follow_in_lanes(block, std::span(some).first(std::exchange(n, 0)));
  }
  if (n > 0) follow_in_lanes(block, std::span(some).first(n));
}

void DrainDesigns::follow_alone(const PushBlock& block, Design& d) const {
  Step step{d.backlog};
  for (std::size_t i = 0; i < block.size(); ++i) {
    step.backlog -= block.gap(i);
    step.least = std::min(step.least, step.backlog);
    if (step.backlog >= d.limit) {
      ++step.frames_lost;
      step.words_lost += block.pushes[i].data;
    } else {
      step.backlog = std::max<std::int64_t>(step.backlog, 1) + frame_edges(d);
    }
  }
  d.step = step;
}

void DrainDesigns::follow_in_lanes(const PushBlock& block, std::span<Design* const> designs) {
  using Vectors = std::array<Lanes, vectors_at_once>;
  Vectors backlog{};
  Vectors frame{};
  Vectors room_until{}; // limit less one: one comparison is cheaper than its negation
  for (std::size_t l = 0; l < designs.size(); ++l) {
    const std::size_t v = l / lanes_per_vector;
    backlog[v][l % lanes_per_vector] = static_cast<std::int32_t>(designs[l]->backlog);
    frame[v][l % lanes_per_vector] = static_cast<std::int32_t>(frame_edges(*designs[l]));
    room_until[v][l % lanes_per_vector] = static_cast<std::int32_t>(designs[l]->limit - 1);
  }
  Vectors least;
  least.fill(all(PushBlock::lane_limit));
  Vectors frames{};
  Vectors words{};
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Lanes gap = all(block.gaps[i]);
    const Lanes of_frame = all(block.words[i]);
#pragma GCC unroll 8 // keeps the vectors in registers
    for (std::size_t v = 0; v < vectors_at_once; ++v) {
      const Lanes found = backlog[v] - gap;
      const Lanes full = found > room_until[v]; // -1 where it is
      least[v] = lesser(least[v], found);
      frames[v] -= full;
      words[v] += full & of_frame;
      backlog[v] = full ? found : greater(found, all(1)) + frame[v];
    }
  }
  for (std::size_t l = 0; l < designs.size(); ++l) {
    const std::size_t v = l / lanes_per_vector;
    const std::size_t lane = l % lanes_per_vector;
    designs[l]->step = {backlog[v][lane], least[v][lane], static_cast<std::uint32_t>(frames[v][lane]),
                        static_cast<std::uint32_t>(words[v][lane])};
  }
}

void DrainDesigns::settle(const PushBlock& block, Design& d) const {
  if (d.frames_lost == 0 && d.step.frames_lost > 0) {
    std::int64_t backlog = d.backlog - block.gap(0);
    std::size_t i = 0;
    while (backlog < d.limit) backlog = std::max<std::int64_t>(backlog, 1) + frame_edges(d) - block.gap(++i);
    d.first_overrun = block.pushes[i].edge;
  }
  d.frames_lost += d.step.frames_lost;
  d.words_lost += d.step.words_lost;
  d.backlog = d.step.backlog;
  d.unlimited = d.backlog == speeds_.backlog(d.speed);
}

DrainCounts DrainDesigns::counts(std::size_t design) const {
  if (frames_ == 0) return {};
  const Design& d = designs_[design];
  const bool loses = d.frames_lost > 0;
  return {.frames_lost = d.frames_lost,
          .words_lost = d.words_lost,
          .drained = frames_ - d.frames_lost,
          .peak = static_cast<std::uint64_t>(loses ? d.depth : speeds_.peak(d.speed)),
          .most_found = static_cast<std::uint64_t>(loses ? d.depth : speeds_.least_depth(d.speed) - 1),
          .first_overrun = loses ? std::optional(d.first_overrun) : std::nullopt,
          .end = last_edge_ + (d.unlimited ? speeds_.backlog(d.speed) : d.backlog)};
}

} // namespace hypermon
