// SPDX-License-Identifier: BSD-3-Clause
// The I/O node's program that separates event frames into "separate event streams" (HYPERMON sec. 3.3). It has one
// decoder for each of a board's inputs, and accepts frames of every format (spec sec. 6).
#pragma once
#include "hw/hypermon/core/frame.hpp"
#include "sw/monitors/hypermon/node_decoder.hpp"
#include "sw/monitors/hypermon/request_decoder.hpp"
#include "sw/monitors/hypermon/window_unwrapper.hpp"
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace hypermon {

class FrameDecoder {
public:
  /// `base` is the node at the board's input 0. `timing` (of words, see node_decoder.hpp), `sink` and `catalogue` must
  /// outlive this object.
  ///
  /// `wrap_frames`: the board marks every wrap of the timestamp by an empty frame. `skew`: the board may have begun to
  /// count windows by that much before time 0.
  FrameDecoder(NodeId base, const FrameFormat& format, const StreamTiming& timing, DecoderSink& sink,
               bool wrap_frames = false, Time skew = {}, const Catalogue& catalogue = Catalogue::nx2());

  /// Takes frames in order. Empty ones only serve to unwrap timestamps.
  void push(std::span<const DeliveredFrame> frames);

  /// Equivalent to push(stretch.frames()), but node by node: for each node the sink gets the same calls in the same
  /// order, with the same end of reading. `S`: Stretch (hw/hypermon/core/stretch.hpp).
  template <class S> void push_runs(const S& stretch) {
    if (!reads_runs(stretch)) {
      push(stretch.frames());
    } else if (format_.data_bits() == 4) {
      for (const auto& run : stretch.runs()) push_run<true>(stretch, run);
      unwrapper_.go_to(stretch.end_window(), stretch.frame_count());
    } else {
      for (const auto& run : stretch.runs()) push_run<false>(stretch, run);
      unwrapper_.go_to(stretch.end_window(), stretch.frame_count());
    }
  }

  /// Silences whose number of wraps is not certain (window_unwrapper.hpp).
  const AmbiguousSilences& ambiguous() const { return unwrapper_.ambiguous(); }
  /// Frames that no board can have captured. They are dropped.
  const ImpossibleFrames& impossible() const { return unwrapper_.impossible(); }

  /// The board was reset at `origin`: incomplete events are damaged, and windows are counted from there.
  void restart(Time origin);
  void finish();

  /// True if timestamps need no checks: they are so wide that they wrap only after about an hour of silence, the
  /// silence before this stretch is shorter, and the stretch is read without stalls.
  template <class S> bool reads_runs(const S& stretch) const {
    return !format_.on_request() && format_.timestamp_bits() >= 32 &&
           stretch.end_window() - unwrapper_.next() <= format_.timestamp_mask();
  }

private:
  void make_nodes();
  void give_up(const DeliveredFrame& f);
  void finish_nodes(Time at);
  template <bool nibble> void push_words(std::span<const DeliveredFrame> frames);
  void push_on_request(std::span<const DeliveredFrame> frames);

  // Decodes whole events at once where possible, else word by word. The data of a run are nibbles, one in each byte, or
  // bytes as in the event's record.
  template <bool nibble, class S, class Run> [[gnu::always_inline]] void push_run(const S& stretch, const Run& run) {
    const std::size_t datum_bytes = nibble ? 1 : format_.data_bits() / 8;
    NodeDecoder& node = nodes_[run.input];
    for (std::size_t i = 0; i < run.n;) {
      const std::uint8_t* const data = run.data + i * datum_bytes;
      const std::uint32_t nibbles = catalogue_->nibbles_by_first(*data);
      const std::uint32_t length = nibble ? nibbles : node.words(nibbles);
      const std::uint64_t window = stretch.window(run, i);
      if (run.n - i >= length) [[likely]] {
        const std::uint64_t last = stretch.window(run, i + length - 1);
        sink_->read_until(stretch.read_end(last), stretch.strobed_before(last));
        if (node.take(window, last, length, [data](std::size_t w) { return word_of<nibble>(data, w); })) [[likely]] {
          i += length;
          continue;
        }
      }
      const std::uint32_t word = stretch.datum(run, i);
      if (!node.template collect<nibble>(window, word)) {
        sink_->read_until(stretch.read_end(window), stretch.strobed_before(window));
        node.settle(window, word);
      }
      ++i;
    }
  }

  template <bool nibble> static std::uint32_t word_of(const std::uint8_t* data, std::size_t w) {
    if constexpr (nibble) {
      std::uint64_t x = 0;
      std::memcpy(&x, data + 8 * w, sizeof x);
      return gather_nibbles(x & 0x0F0F0F0F0F0F0F0FU); // the high nibbles are ignored
    } else {
      std::uint32_t x = 0;
      std::memcpy(&x, data + 4 * w, sizeof x);
      return x;
    }
  }

  NodeId base_;
  FrameFormat format_;
  const StreamTiming* timing_;
  const Catalogue* catalogue_;
  DecoderSink* sink_;
  WindowUnwrapper unwrapper_;
  std::vector<NodeDecoder> nodes_;            // by input, without timestamps on request
  std::vector<RequestDecoder> request_nodes_; // by input, with timestamps on request
};

} // namespace hypermon
