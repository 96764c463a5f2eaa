// The I/O node's program that takes event frames apart into "separate event streams" (HYPERMON sec. 3.3): one
// NodeDecoder for each of a board's 16 inputs. It works on the four words of a frame as they are read from the PBX bus.
#pragma once
#include "sw/instrumentation/node_decoder.hpp"
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hypermon {

class FrameDecoder {
public:
  static constexpr std::uint32_t inputs = 16;

  /// `base` is the node at the board's input 0. `timing` and `sink` must live longer.
  FrameDecoder(NodeId base, const StreamTiming& timing, DecoderSink& sink)
      : FrameDecoder(base, timing, sink, std::make_index_sequence<inputs>{}) {}

  /// Frames in the order of their timestamps, which unwraps them; no silence longer than 2^32 windows.
  void push(const std::array<std::uint32_t, 4>& words) {
    window_ += static_cast<std::uint32_t>(words[3] - static_cast<std::uint32_t>(window_));
    const std::uint64_t window = window_;
    const std::uint64_t data = std::uint64_t{words[0]} << 32 | words[1];
    for (std::uint32_t left = words[2]; left != 0; left &= left - 1) {
      const int input = std::countr_zero(left);
      nodes_[static_cast<std::size_t>(input)].push(window, static_cast<std::uint8_t>(data >> 4 * input & 0xF));
    }
  }

  /// Unwrapped timestamp of the last frame.
  std::uint64_t window() const { return window_; }

  void finish() {
    for (auto& node : nodes_) node.finish();
  }

private:
  template <std::size_t... I>
  FrameDecoder(NodeId base, const StreamTiming& timing, DecoderSink& sink, std::index_sequence<I...>)
      : nodes_{NodeDecoder(NodeId{index(base) + static_cast<std::uint32_t>(I)}, timing, sink)...} {}

  std::uint64_t window_ = 0;
  std::array<NodeDecoder, inputs> nodes_;
};

} // namespace hypermon
