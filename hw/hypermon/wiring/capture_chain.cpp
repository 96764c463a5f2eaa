// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/wiring/capture_chain.hpp"
#include "base/clock.hpp"
#include "hw/hypermon/core/params.hpp"
#include "hw/hypermon/wiring/boards.hpp"

#include <algorithm>
#include <random>

namespace hypermon {

std::vector<Time> reset_skews(const Spec& spec) {
  std::mt19937_64 random(static_cast<std::uint64_t>(spec.seed) ^ 0x5eed0fec5U);
  std::vector<Time> skews(boards_of(spec));
  for (std::size_t b = 1; b < skews.size(); ++b)
    skews[b] = edge_at_or_before(Time::from_ns(static_cast<std::int64_t>(
        random() % static_cast<std::uint64_t>(spec.get<EcbSection>().reset_skew_ns.number + 1))));
  return skews;
}

std::unique_ptr<DrainProgram> drain_program_of(const Spec& spec, const FrameFormat& format, std::size_t nodes,
                                               std::size_t event_types) {
  if (DrainProgram::idle(spec.get<DrainParams>())) return nullptr;
  return std::make_unique<DrainProgram>(spec.get<DrainParams>(), format, nodes * event_types);
}

CaptureChain::CaptureChain(const Spec& spec)
    : nodes_(static_cast<std::size_t>(spec.nodes)), inputs_(static_cast<std::size_t>(spec.get<EcbSection>().inputs)),
      reset_at_(edge_at_or_before(spec.get<FaultParams>().reset_at_us)), skews_(reset_skews(spec)) {
  for (std::size_t b = 0; b < skews_.size(); ++b) windows_.push_back(ecb_of(spec, b).window_ns);
  for (std::size_t node = 0; node < nodes_; ++node)
    delays_.push_back(ErbLine(spec.get<ErbParams>(), node, 0).strobe_delay());
}

CaptureChain::Line CaptureChain::line(NodeId node) const {
  Line line;
  line.node = node;
  line.board = index(node) / inputs_;
  line.input = static_cast<std::uint32_t>(index(node) % inputs_);
  line.delay = delays_[index(node)];
  line.window = windows_[line.board];
  line.to_window = line.delay + skews_[line.board];
  line.reset_at_board = reset_at_;
  line.reset_at = reset_at_ > 0_ps ? reset_at_ - line.delay : Time::never();
  return line;
}

void CaptureChain::add_counts(Counts& sum, const Counts& c) {
  sum.strobes += c.strobes;
  sum.aliasing += c.aliasing;
  sum.node_overruns += c.node_overruns;
  sum.windows_lost += c.windows_lost;
  sum.discarded += c.discarded;
  sum.frames_built += c.frames_built;
  sum.merged += c.merged;
  sum.frames_lost += c.frames_lost;
  sum.drained += c.drained;
  sum.peak_frame_fifo = std::max(sum.peak_frame_fifo, c.peak_frame_fifo);
  if (c.first_overrun && (!sum.first_overrun || *c.first_overrun < *sum.first_overrun))
    sum.first_overrun = c.first_overrun;
  sum.end = std::max(sum.end, c.end);
}

void CaptureChain::tell_also(std::function<void(NodeId, const Loss&)> loss,
                             std::function<void(NodeId, const Fault&)> fault,
                             std::function<void(NodeId)> lost_in_board) {
  observers_.loss = [first = std::move(loss), then = std::move(observers_.loss)](NodeId node, const Loss& what) {
    first(node, what);
    then(node, what);
  };
  observers_.fault = [first = std::move(fault), then = std::move(observers_.fault)](NodeId node, const Fault& what) {
    first(node, what);
    then(node, what);
  };
  observers_.lost_in_board = [first = std::move(lost_in_board),
                              then = std::move(observers_.lost_in_board)](NodeId node, std::uint64_t sequence) {
    first(node);
    then(node, sequence);
  };
}

} // namespace hypermon
