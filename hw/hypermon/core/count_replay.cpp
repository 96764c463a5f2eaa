// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/count_replay.hpp"
#include "hw/hypermon/core/drain_designs.hpp"
#include "hw/hypermon/core/frame_drains.hpp"
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>

namespace hypermon {

namespace {

constexpr std::size_t number(LossCause cause) { return static_cast<std::size_t>(cause); }

/// Designs that agree in these parameters have the same stream of frames.
auto front_of(const BoardDesign& d) {
  const EcbParams& e = d.ecb;
  return std::tuple(d.lines, d.reset_earlier_by, d.port.width_bits, e.window_ns, e.node_fifo_entries,
                    e.vector_fifo_entries, e.builder_cycles, e.accumulate_bits, e.wrap_frames,
                    e.wrap_frames ? e.timestamp_bits : 0, e.vector_fifo_full);
}

} // namespace

class CountReplay::SharedFront {
public:
  SharedFront(std::span<const BoardDesign> all, std::vector<std::size_t> designs)
      : lines_(all[designs.front()].lines), data_per_word_(all[designs.front()].data_per_word()) {
    std::vector<DrainDesign> backlogs;
    for (const std::size_t i : designs) {
      const BoardDesign& d = all[i];
      if (d.drains_by_backlog()) {
        by_backlog_.push_back(i);
        backlogs.push_back({d.ecb.frame_fifo_frames, d.frame_edges()});
      } else {
        const std::size_t group = drains_like(d);
        by_drain_.push_back({i, group, drains_[group].add(d.ecb.frame_fifo_frames)});
      }
    }
    backlogs_ = std::make_unique<DrainDesigns>(backlogs);
    const BoardDesign& any = all[designs.front()];
    front_ = FramePushes::make(any.port, any.ecb, any.reset_earlier_by,
                               [this](std::span<const FramePush> pushes) { push(pushes); });
    if (drains_.empty()) front_->count_on_request();
  }

  void program_ends(Time at) { front_->program_ends(at); }
  void add(const BurstRows& rows) {
    lines_.each_burst(rows, [this](const Burst& burst) { front_->write(burst); });
  }

  /// Stores the counts of this front's designs at their indices in `all`.
  void finish(std::vector<BoardCounts>& all) {
    front_->finish();
    const Counts front = front_->counts();
    for (std::size_t i = 0; i < by_backlog_.size(); ++i)
      all[by_backlog_[i]] = counts(front, backlogs_->counts(i), CountedBy::backlog);
    for (FrameDrains& drains : drains_) drains.finish();
    for (const auto& [design, group, fifo] : by_drain_)
      all[design] = counts(front, drains_[group].counts(fifo), CountedBy::frame_drain);
  }

private:
  /// Index in drains_ for the design.
  std::size_t drains_like(const BoardDesign& d) {
    const Reader reader = d.new_reader();
    const auto alike = std::ranges::find_if(drains_, [&](const FrameDrains& drains) {
      return drains.alike(d.ecb.frame_fifo_full, reader, d.frame_edges());
    });
    const auto group = static_cast<std::size_t>(alike - drains_.begin());
    if (alike == drains_.end()) drains_.emplace_back(d.ecb.frame_fifo_full, reader, d.frame_edges());
    return group;
  }
  void push(std::span<const FramePush> pushes) {
    backlogs_->push(pushes, [this] { front_->count_data(); });
    for (FrameDrains& drains : drains_) drains.push(pushes);
  }

  BoardCounts counts(Counts c, const DrainCounts& drain, CountedBy by) const {
    c.frames_lost = drain.frames_lost;
    c.drained = drain.drained;
    c.peak_frame_fifo = drain.peak;
    if (drain.first_overrun) c.first_overrun = cycles(*drain.first_overrun);
    c.end = cycles(drain.end);
    BoardCounts result{c, {}, by};
    result.lost[number(LossCause::aliasing)] = c.aliasing * data_per_word_;
    result.lost[number(LossCause::node_overrun)] = c.node_overruns * data_per_word_;
    result.lost[number(LossCause::window_lost)] = c.discarded * data_per_word_;
    result.lost[number(LossCause::frame_lost)] = drain.words_lost * data_per_word_;
    return result;
  }

  BoardLines lines_;
  std::uint64_t data_per_word_;
  std::vector<std::size_t> by_backlog_; // numbers of the designs that backlogs_ counts
  std::unique_ptr<DrainDesigns> backlogs_;
  struct ByDrain {
    std::size_t design;
    std::size_t group; // index in drains_
    std::size_t fifo;  // number of the FIFO in the group
  };
  std::vector<ByDrain> by_drain_;
  std::vector<FrameDrains> drains_;
  std::unique_ptr<FramePushes> front_;
};

CountReplay::CountReplay(std::span<const BoardDesign> designs) : designs_(designs.size()) {
  std::map<decltype(front_of(designs.front())), std::vector<std::size_t>> fronts;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    if (!designs[i].drains_apart())
      throw std::invalid_argument("design " + std::to_string(i) + ": its frames depend on their drain");
    fronts[front_of(designs[i])].push_back(i);
  }
  for (auto& [front, members] : fronts) fronts_.push_back(std::make_unique<SharedFront>(designs, std::move(members)));
}
CountReplay::~CountReplay() = default;

void CountReplay::program_ends(Time at) {
  for (auto& front : fronts_) front->program_ends(at);
}

void CountReplay::add(const BurstRows& rows) {
  order_.check(rows);
  for (auto& front : fronts_) front->add(rows);
}

std::vector<BoardCounts> CountReplay::finish() {
  std::vector<BoardCounts> all(designs_);
  for (auto& front : fronts_) front->finish(all);
  return all;
}

} // namespace hypermon
