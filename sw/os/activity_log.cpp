// SPDX-License-Identifier: BSD-3-Clause
#include "sw/os/activity_log.hpp"

#include <algorithm>

namespace hypermon {
namespace {

constexpr Time finest = 1_us; // (chosen) steps are this times a power of two
constexpr std::size_t fewest = 4;

} // namespace

ActivityLog::ActivityLog(std::size_t ranks, std::size_t most)
    : ranks_(ranks), most_(std::max(most, fewest * std::max<std::size_t>(ranks, 1))) {}

void ActivityLog::add(std::size_t rank, State state, Time begin, Time end) {
  Rank& own = ranks_[rank];
  begin = std::max(begin, own.last);
  if (end <= begin) return;
  const bool follows = begin == own.last;
  own.last = end;
  reached_ = std::max(reached_, end);
  if (step_ > Time{}) return add_to_grid(own, state, begin, end);
  auto& exact = own.exact[static_cast<std::size_t>(state)];
  if (follows && !exact.empty() && exact.back().end == begin) {
    exact.back().end = end;
    return;
  }
  exact.push_back({begin, end});
  if (++pieces_ > most_) begin_grid();
}

/// A step of each state takes half the room of an interval, so the grid needs as many bytes as the intervals did.
std::size_t ActivityLog::most_steps() const { return most_ / ranks_.size(); }

void ActivityLog::begin_grid() {
  step_ = finest;
  while (step_of(reached_) + 1 > most_steps()) step_ = step_ * 2;
  for (Rank& rank : ranks_)
    for (std::size_t s = 0; s < states; ++s) {
      for (const Stretch& one : rank.exact[s]) add_to_grid(rank, State(s), one.begin, one.end);
      rank.exact[s] = {};
    }
}

void ActivityLog::add_to_grid(Rank& rank, State state, Time begin, Time end) {
  while (step_of(end) + 1 > most_steps()) coarsen();
  auto& steps = rank.steps[static_cast<std::size_t>(state)];
  if (steps.size() <= step_of(end)) steps.resize(step_of(end) + 1);
  for (std::size_t i = step_of(begin); begin < end; ++i) {
    const Time until = std::min(end, step_ * static_cast<std::int64_t>(i + 1));
    steps[i] += until - begin;
    begin = until;
  }
}

void ActivityLog::coarsen() {
  step_ = step_ * 2;
  for (Rank& rank : ranks_)
    for (auto& steps : rank.steps) {
      for (std::size_t i = 0; 2 * i < steps.size(); ++i)
        steps[i] = steps[2 * i] + (2 * i + 1 < steps.size() ? steps[2 * i + 1] : Time{});
      steps.resize((steps.size() + 1) / 2);
    }
}

void ActivityLog::for_each(std::size_t rank, State state, const Piece& piece) const {
  const Rank& own = ranks_[rank];
  for (const Stretch& one : own.exact[static_cast<std::size_t>(state)]) piece(one.begin, one.end, one.end - one.begin);
  const auto& steps = own.steps[static_cast<std::size_t>(state)];
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i] > Time{})
      piece(step_ * static_cast<std::int64_t>(i), step_ * static_cast<std::int64_t>(i + 1), steps[i]);
}

} // namespace hypermon
