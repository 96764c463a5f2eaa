// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/frontier.hpp"
#include <stdexcept>

namespace hypermon {

Frontier::Frontier(const BoardDesign& design, std::span<const std::int64_t> word_ns)
    : lines_(design.lines), word_ns_(word_ns.begin(), word_ns.end()), spaced_(design.spaced()) {
  if (!design.drains_apart() || !design.new_reader().ideal())
    throw std::invalid_argument("frontier: full FIFOs must drop, every frame carry a timestamp, the reader be ideal");
  for (const std::int64_t word : word_ns_) {
    PbxParams bus = design.pbx;
    bus.word_ns = word;
    frame_edges_.push_back(design.frame_edges(bus));
    if (!spaced_) single_.emplace_back(Time::never().ps(), WhenFull::drop_newest, Reader(bus, {}), frame_edges_.back());
  }
  drains_ = std::make_unique<UnlimitedDrains>(frame_edges_);
  front_ = FramePushes::make(design.port, design.ecb, design.reset_earlier_by,
                             [this](std::span<const FramePush> pushes) { push(pushes); });
}

void Frontier::add(const BurstRows& rows) {
  order_.check(rows);
  lines_.each_burst(rows, [this](const Burst& burst) { front_->write(burst); });
}

void Frontier::push(std::span<const FramePush> pushes) {
  arrivals_.push(pushes);
  for (FrameDrain& drain : single_)
    for (const FramePush& p : pushes) drain.push(p, [](std::int64_t, std::size_t) {});
  while (spaced_ && !pushes.empty()) {
    const PushBlock block(pushes, last_edge_);
    drains_->push(block);
    last_edge_ = block.last_edge();
    pushes = pushes.subspan(block.size());
  }
}

std::vector<Frontier::Point> Frontier::points() const {
  const std::vector<std::int64_t> bounds = arrivals_.depth_bounds(frame_edges_);
  std::vector<Point> points;
  for (std::size_t i = 0; i < word_ns_.size(); ++i)
    points.push_back({word_ns_[i],
                      spaced_ ? drains_->least_depth(i) : static_cast<std::int64_t>(single_[i].counts().most_found) + 1,
                      bounds[i], 4e9 / static_cast<double>(word_ns_[i])});
  return points;
}

} // namespace hypermon
