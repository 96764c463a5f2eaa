// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/decoder.hpp"

namespace hypermon {

FrameDecoder::FrameDecoder(NodeId base, const FrameFormat& format, const StreamTiming& timing, DecoderSink& sink,
                           bool wrap_frames, Time skew, const Catalogue& catalogue)
    : base_(base), format_(format), timing_(&timing), catalogue_(&catalogue), sink_(&sink),
      unwrapper_(format.timestamp_bits(), timing.window(), wrap_frames, skew) {
  make_nodes();
}

void FrameDecoder::make_nodes() {
  const auto word_nibbles = static_cast<std::uint32_t>(format_.data_bits() / 4);
  nodes_.clear();
  request_nodes_.clear();
  for (std::uint32_t i = 0; i < format_.inputs(); ++i) {
    const NodeId node{index(base_) + i};
    if (format_.on_request())
      request_nodes_.emplace_back(node, *timing_, *sink_, word_nibbles, *catalogue_);
    else
      nodes_.emplace_back(node, *timing_, *sink_, word_nibbles, *catalogue_);
  }
}

void FrameDecoder::push(std::span<const DeliveredFrame> frames) {
  unwrapper_.check(frames);
  if (format_.on_request())
    push_on_request(frames);
  else if (format_.data_bits() == 4)
    push_words<true>(frames);
  else
    push_words<false>(frames);
}

template <bool nibble> void FrameDecoder::push_words(std::span<const DeliveredFrame> frames) {
  WindowUnwrapper unwrapper = unwrapper_; // a local copy: the nodes' nibbles may alias members
  NodeDecoder* const nodes = nodes_.data();
  std::uint64_t number = unwrapper.frames() - frames.size();
  for (const DeliveredFrame& f : frames) {
    if (unwrapper.impossible(f, number++)) [[unlikely]] {
      give_up(f);
      continue;
    }
    const std::uint64_t window = unwrapper.take(f.frame);
    for (std::uint32_t left = f.frame.vector; left != 0; left &= left - 1) {
      const auto input = static_cast<std::size_t>(std::countr_zero(left));
      const std::uint32_t word = f.frame.data[input];
      NodeDecoder& node = nodes[input];
      if (node.collect<nibble>(window, word)) [[likely]]
        continue;
      sink_->read_until(f.read_end, f.strobed_before(timing_->window()));
      node.settle(window, word);
    }
  }
  unwrapper_ = unwrapper;
}

void FrameDecoder::push_on_request(std::span<const DeliveredFrame> frames) {
  std::uint64_t number = unwrapper_.frames() - frames.size();
  for (const DeliveredFrame& f : frames) {
    if (unwrapper_.impossible(f, number++)) [[unlikely]] {
      give_up(f);
      continue;
    }
    const std::uint64_t window = unwrapper_.take(f.frame);
    for (std::uint32_t left = f.frame.vector; left != 0; left &= left - 1) {
      const auto input = static_cast<std::size_t>(std::countr_zero(left));
      request_nodes_[input].push(window, f.frame.stamped, f.frame.data[input], f.read_end,
                                 f.strobed_before(timing_->window()));
    }
  }
}

// The frame's data belong to no event.
void FrameDecoder::give_up(const DeliveredFrame& f) {
  sink_->read_until(f.read_end, f.strobed_before(timing_->window()));
  for (std::uint32_t left = f.frame.vector; left != 0; left &= left - 1)
    sink_->damaged({NodeId{index(base_) + static_cast<std::uint32_t>(std::countr_zero(left))}, 0, 0,
                    static_cast<std::uint32_t>(format_.data_bits() / 4)});
}

void FrameDecoder::restart(Time origin) {
  finish_nodes(origin);
  make_nodes();
  unwrapper_.restart(origin);
}

void FrameDecoder::finish() { finish_nodes(Time::never()); }

void FrameDecoder::finish_nodes(Time at) {
  for (auto& node : nodes_) {
    sink_->read_until(at);
    node.finish();
  }
  for (auto& node : request_nodes_) {
    sink_->read_until(at);
    node.finish();
  }
}

} // namespace hypermon
