#include "hw/core/drain_designs.hpp"
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
  }
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
  std::array<Design*, lanes_at_once> some;
  std::size_t n = 0;
  for (Design& d : designs_) {
    if (d.unlimited && speeds_.block_most(d.speed) < d.limit) continue;
    if (d.unlimited) d.backlog = backlogs_before_[d.speed];
    if (d.limit + frame_edges(d) >= PushBlock::lane_limit)
      push_alone(block, d);
    else
      some[n++] = &d;
    if (n == some.size()) push_in_lanes(block, std::span(some).first(std::exchange(n, 0)));
  }
  if (n > 0) push_in_lanes(block, std::span(some).first(n));
}

void DrainDesigns::push_alone(const PushBlock& block, Design& d) const {
  const std::int64_t before = d.backlog;
  std::uint64_t frames = 0;
  std::uint64_t words = 0;
  std::int64_t backlog = before;
  for (std::size_t i = 0; i < block.size(); ++i) {
    backlog -= block.gap(i);
    if (backlog >= d.limit) {
      ++frames;
      words += block.pushes[i].data;
    } else {
      backlog = std::max<std::int64_t>(backlog, 1) + frame_edges(d);
    }
  }
  lose(block, d, frames, words);
  d.backlog = backlog;
  d.unlimited = backlog == speeds_.backlog(d.speed);
}

void DrainDesigns::push_in_lanes(const PushBlock& block, std::span<Design*> designs) {
  using Vectors = std::array<Lanes, vectors_at_once>;
  Vectors backlog{};
  Vectors frame{};
  Vectors limit{};
  for (std::size_t l = 0; l < designs.size(); ++l) {
    const std::size_t v = l / lanes_per_vector;
    backlog[v][l % lanes_per_vector] = static_cast<std::int32_t>(designs[l]->backlog);
    frame[v][l % lanes_per_vector] = static_cast<std::int32_t>(frame_edges(*designs[l]));
    limit[v][l % lanes_per_vector] = static_cast<std::int32_t>(designs[l]->limit);
  }
  Vectors frames{};
  Vectors words{};
  for (std::size_t i = 0; i < block.size(); ++i) {
    const Lanes gap = all(block.gaps[i]);
    const Lanes of_frame = all(block.words[i]);
    for (std::size_t v = 0; v < vectors_at_once; ++v) {
      const Lanes found = backlog[v] - gap;
      const Lanes full = found >= limit[v]; // -1 where it is
      frames[v] -= full;
      words[v] += full & of_frame;
      backlog[v] = full ? found : greater(found, all(1)) + frame[v];
    }
  }
  for (std::size_t l = 0; l < designs.size(); ++l) {
    const std::size_t v = l / lanes_per_vector;
    Design& d = *designs[l];
    lose(block, d, static_cast<std::uint32_t>(frames[v][l % lanes_per_vector]),
         static_cast<std::uint32_t>(words[v][l % lanes_per_vector]));
    d.backlog = backlog[v][l % lanes_per_vector];
    d.unlimited = d.backlog == speeds_.backlog(d.speed);
  }
}

// Of the block; the design's backlog is still that before it.
void DrainDesigns::lose(const PushBlock& block, Design& d, std::uint64_t frames, std::uint64_t words) const {
  if (d.frames_lost == 0 && frames > 0) {
    std::int64_t backlog = d.backlog - block.gap(0);
    std::size_t i = 0;
    while (backlog < d.limit) backlog = std::max<std::int64_t>(backlog, 1) + frame_edges(d) - block.gap(++i);
    d.first_overrun = block.pushes[i].edge;
  }
  d.frames_lost += frames;
  d.words_lost += words;
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
