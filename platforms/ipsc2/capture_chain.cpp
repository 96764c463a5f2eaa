#include "platforms/ipsc2/capture_chain.hpp"

#include <algorithm>

namespace hypermon {

CaptureChain::CaptureChain(const Spec& spec, Observers observers)
    : inputs_(static_cast<std::size_t>(spec.ecb.inputs)), propagation_(Time::from_ns(spec.erb.propagation_ns)),
      observers_(std::move(observers)) {
  const auto nodes = static_cast<std::size_t>(spec.nodes);
  for (std::size_t b = 0; b * inputs_ < nodes; ++b) {
    boards_.push_back(std::make_unique<CaptureBoard>(spec.ecb, spec.pbx, spec.reader));
    boards_.back()->on_loss([this, b](const Loss& loss) {
      observers_.loss(NodeId{static_cast<std::uint32_t>(b * inputs_) + loss.input}, loss);
    });
  }
}

void CaptureChain::write(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data) {
  const auto input = static_cast<std::uint32_t>(index(node) % inputs_);
  boards_[index(node) / inputs_]->write({input, first + propagation_, spacing, data});
}

void CaptureChain::hand_over(std::size_t b) {
  observers_.frames(b, boards_[b]->delivered());
  boards_[b]->clear_delivered();
}

void CaptureChain::drain_to(Time horizon) {
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    boards_[b]->advance(horizon);
    hand_over(b);
  }
}

void CaptureChain::finish() {
  for (std::size_t b = 0; b < boards_.size(); ++b) {
    boards_[b]->finish();
    hand_over(b);
  }
}

Counts CaptureChain::counts() const {
  Counts sum;
  for (const auto& board : boards_) {
    const Counts c = board->counts();
    sum.strobes += c.strobes;
    sum.aliasing += c.aliasing;
    sum.node_overruns += c.node_overruns;
    sum.windows_lost += c.windows_lost;
    sum.discarded += c.discarded;
    sum.frames_built += c.frames_built;
    sum.merged += c.merged;
    sum.frames_lost += c.frames_lost;
    sum.drained += c.drained;
    sum.frames_in_fifo += c.frames_in_fifo;
    sum.peak_frame_fifo = std::max(sum.peak_frame_fifo, c.peak_frame_fifo);
    if (c.first_overrun && (!sum.first_overrun || *c.first_overrun < *sum.first_overrun))
      sum.first_overrun = c.first_overrun;
    sum.end = std::max(sum.end, c.end);
  }
  return sum;
}

} // namespace hypermon
