// The I/O node's program that takes event frames apart into "separate event streams" (HYPERMON sec. 3.3): one
// NodeDecoder for each of a board's 16 inputs. It works on the four words of a frame as they are read from the PBX bus.
#pragma once
#include "hw/core/frame.hpp"
#include "sw/instrumentation/node_decoder.hpp"
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace hypermon {

class FrameDecoder {
public:
  static constexpr std::uint32_t inputs = 16;

  /// `base` is the node at the board's input 0. `timing` and `sink` must live longer.
  FrameDecoder(NodeId base, const StreamTiming& timing, DecoderSink& sink)
      : FrameDecoder(base, timing, sink, std::make_index_sequence<inputs>{}) {}

  /// Frames in the order of their timestamps, which unwraps them; no silence longer than 2^32 windows.
  void push(std::span<const DeliveredFrame> frames) {
    std::uint64_t window = window_; // a local one: the nodes' nibbles may alias members
    NodeDecoder* const nodes = nodes_.data();
    for (const DeliveredFrame& f : frames) {
      window = unwrap(f.frame, window);
      for (std::uint32_t left = f.frame.vector(); left != 0; left &= left - 1) {
        const auto input = static_cast<std::size_t>(std::countr_zero(left));
        const std::uint8_t nibble = f.frame.datum(static_cast<std::uint32_t>(input));
        NodeDecoder& node = nodes[input];
        if (node.collect(window, nibble)) [[likely]]
          continue;
        sink_->read_until(f.read_end);
        node.settle(window, nibble);
      }
    }
    window_ = window;
  }

  /// Unwrapped timestamp of the next frame.
  std::uint64_t window_of_next(const EventFrame& frame) const { return unwrap(frame, window_); }

  void finish() {
    for (auto& node : nodes_) node.finish();
  }

private:
  template <std::size_t... I>
  FrameDecoder(NodeId base, const StreamTiming& timing, DecoderSink& sink, std::index_sequence<I...>)
      : sink_(&sink), nodes_{NodeDecoder(NodeId{index(base) + static_cast<std::uint32_t>(I)}, timing, sink)...} {}

  static std::uint64_t unwrap(const EventFrame& frame, std::uint64_t last_window) {
    return last_window + static_cast<std::uint32_t>(frame.timestamp() - static_cast<std::uint32_t>(last_window));
  }

  DecoderSink* sink_;
  std::uint64_t window_ = 0; // unwrapped timestamp of the last frame
  std::array<NodeDecoder, inputs> nodes_;
};

} // namespace hypermon
