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

DrainDesigns::DrainDesigns(std::span<const DrainDesign> designs, std::size_t lanes)
    : speeds_(speeds_of(designs), lanes), lanes_(lanes), backlogs_before_(speeds_.size()) {
  const std::vector<std::int64_t> speeds = speeds_of(designs);
  for (const DrainDesign& d : designs) {
    const auto speed = std::ranges::lower_bound(speeds, d.frame_edges) - speeds.begin();
    designs_.push_back({static_cast<std::size_t>(speed), d.depth, (d.depth - 1) * d.frame_edges});
    order_.push_back(order_.size());
  }
  std::ranges::stable_sort(order_, {},
                           [this](std::size_t i) { return std::pair(designs_[i].speed, -designs_[i].depth); });
  for (std::size_t i = 1; i <= order_.size(); ++i)
    if (i == order_.size() || designs_[order_[i]].speed != designs_[order_[i - 1]].speed) ends_.push_back(i);
}

// Returns true if all designs behave as their unlimited drains. Otherwise some differ and must be followed one by one.
bool DrainDesigns::push(const PushBlock& block) {
  for (std::size_t s = 0; s < speeds_.size(); ++s) backlogs_before_[s] = speeds_.backlog(s);
  speeds_.push(block);
  differing_.clear();
  leaders_.clear();
  followed_.clear();
  alike_.clear();
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    // Among designs of one speed, a deeper one never has less to read: when it finds its FIFO full, it has at least one
    // frame more than a shallower design can have accepted. So the designs that behave as the unlimited drain come
    // first in order_ and those that differ are at the end.
    std::size_t i = end;
    for (; i > begin; --i) {
      const Design& d = designs_[order_[i - 1]];
      if (d.unlimited && speeds_.block_most(d.speed) < d.limit) break;
    }
    begin = end;
    leaders_.clear();
    for (; i < end; ++i) {
      Design& d = designs_[order_[i]];
      if (d.unlimited) d.backlog = backlogs_before_[d.speed];
      differing_.push_back(&d);
      const auto room = [](const Design* design) { return design->limit - design->backlog; };
      const auto leader = std::ranges::find(leaders_, room(&d), room);
      if (leader != leaders_.end()) {
        alike_.push_back({&d, *leader});
      } else {
        leaders_.push_back(&d);
        followed_.push_back(&d);
      }
    }
  }
  return differing_.empty();
}

void DrainDesigns::follow_differing(const PushBlock& block) {
  follow(block, followed_);
  followed_.clear();
  for (const auto& [design, leader] : alike_) {
    const std::int64_t deeper = leader->limit - design->limit;
    if (deeper == 0 ||
        leader->step.least - deeper >= 1) { // otherwise the design is idle at a push at which the leader is busy
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
  std::array<Design*, most_lanes> some;
  std::size_t n = 0;
  for (Design* d : designs) {
    if (!block.has_lanes || d->limit + frame_edges(*d) >= PushBlock::lane_limit)
      follow_alone(block, *d);
    else
      some[n++] = d;
    if (n == lanes_) follow_in_lanes(block, std::span(some).first(std::exchange(n, 0)));
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

template <class L>
[[gnu::always_inline]] inline void DrainDesigns::follow_in(const PushBlock& block, std::span<Design* const> designs) {
  using Vector = typename L::Vector;
  typename L::Vectors backlog{};
  typename L::Vectors frame{};
  typename L::Vectors room_until{}; // limit minus one: one comparison is cheaper than its negation
  for (std::size_t l = 0; l < designs.size(); ++l) {
    const std::size_t v = l / L::per_vector;
    backlog[v][l % L::per_vector] = static_cast<std::int32_t>(designs[l]->backlog);
    frame[v][l % L::per_vector] = static_cast<std::int32_t>(frame_edges(*designs[l]));
    room_until[v][l % L::per_vector] = static_cast<std::int32_t>(designs[l]->limit - 1);
  }
  const Vector one = Vector{} + 1;
  typename L::Vectors least;
  for (Vector& v : least) v = Vector{} + static_cast<std::int32_t>(PushBlock::lane_limit);
  typename L::Vectors frames{};
  typename L::Vectors words{};
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Vector gap = Vector{} + block.gaps[i];
    const Vector of_frame = Vector{} + block.words[i];
#pragma GCC unroll 8 // keeps the vectors in registers
    for (std::size_t v = 0; v < L::vectors; ++v) {
      const Vector found = backlog[v] - gap;
      const Vector full = found > room_until[v]; // -1 in lanes whose FIFO is full
      const Vector low = least[v];               // the compiler needs values to use a minimum instruction
      least[v] = low < found ? low : found;
      frames[v] -= full;
      words[v] += full & of_frame;
      backlog[v] = full ? found : (found > one ? found : one) + frame[v];
    }
  }
  for (std::size_t l = 0; l < designs.size(); ++l) {
    const std::size_t v = l / L::per_vector;
    const std::size_t lane = l % L::per_vector;
    designs[l]->step = {backlog[v][lane], least[v][lane], static_cast<std::uint32_t>(frames[v][lane]),
                        static_cast<std::uint32_t>(words[v][lane])};
  }
}

[[gnu::target("avx2")]] void DrainDesigns::follow_in_wide_lanes(const PushBlock& block,
                                                                std::span<Design* const> designs) {
  follow_in<WideLanes>(block, designs);
}

void DrainDesigns::follow_in_lanes(const PushBlock& block, std::span<Design* const> designs) {
  if (lanes_ > Lanes::number) return follow_in_wide_lanes(block, designs);
  follow_in<Lanes>(block, designs);
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
