// SPDX-License-Identifier: BSD-3-Clause
// The board in closed form (spec secs. 2 and 3): no queues, no clock, a few integers for each strobe.
//
// Where FIFOs drop what is new and an ideal reader reads, nothing that is behind ever holds what is before it. So as
// soon as a window is opened by its first strobe it is known whether it is lost, when it is taken, when its frame is
// pushed, whether that is lost and when it has been read:
//
//   window ends at n     lost if p_last - n >= (vector FIFO depth - 1) B     p = max(n + 1, p_last + B),  f = p + B
//   frame pushed at f    lost if e_last - f >= (frame FIFO depth - 1) D      e = max(f + 1, e_last) + D
//
// with B the builder's and D the reader's time for one. Levels follow from the last item, since while any waits they
// leave one B or D apart: before edge x, those with p >= x are floor((p_last - x) / B) + 1. The series may run past the
// first item of a busy builder or reader, but what it finds there is before x: p_first - B = n_first + 1 - B < n, and
// e_first - D = f_first + 1 < f, as successive frames are two edges or more apart (holds()).
#pragma once
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/frame_rows.hpp"
#include "hw/hypermon/core/strobe_arrays.hpp"
#include <array>

namespace hypermon {

class ClosedForm {
public:
  /// Is it exact for this design?
  static bool holds(const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader);

  /// A design for which holds().
  ClosedForm(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader);

  /// Takes strobes that are later than, or at the time of, those before. `rows`: where frames go, if anywhere. A row
  /// is complete, and counted by its size(), once all strobes were taken.
  void capture(const StrobeArrays& strobes, FrameRows* rows);
  /// At the end of the run, were it now.
  Counts counts() const;
  /// No more frames than this are read if strobes are from `first_ns` to `last_ns`.
  std::size_t most_frames(std::int64_t first_ns, std::int64_t last_ns, std::size_t strobes) const;

private:
  static constexpr std::int64_t long_ago = -(std::int64_t{1} << 60);
  static constexpr std::size_t longest_vector_fifo = 64; // of those whose vectors must be remembered
  static constexpr std::size_t remembered = 2 * longest_vector_fifo;

  /// floor(t / window) for 0 <= t < 2^63 by one multiplication: with l = ceil(log2 W) and m = ceil(2^(63+l) / W) it is
  /// floor(t m / 2^(63+l)), as m W exceeds 2^(63+l) by less than W <= 2^l, so that t / W becomes too great by less
  /// than 1 / W. m < 2^64.
  class Divider {
  public:
    explicit Divider(std::int64_t window);
    std::uint64_t operator()(std::int64_t t) const {
      __extension__ using Wide = unsigned __int128;
      return static_cast<std::uint64_t>(static_cast<Wide>(static_cast<std::uint64_t>(t)) * multiplier_ >> 64) >> shift_;
    }

  private:
    std::uint64_t multiplier_;
    int shift_;
  };

  // What does not change. Times in ns.
  struct Design {
    Divider number;
    std::int64_t window;
    std::int64_t build;        // B
    std::int64_t frame_time;   // D
    std::int64_t vectors_full; // (depth - 1) B, and so on
    std::int64_t node_full;
    std::int64_t frames_full;
    std::size_t node_fifo_entries;
    std::uint64_t timestamp_mask;
    int log2_data_bits;
  };
  // What does. A copy of it lives in registers during capture().
  struct State {
    std::uint64_t window = 0; // of the last strobe
    std::int64_t window_end = 0;
    std::uint32_t vector = 0;
    std::int64_t read_end = long_ago; // of the last frame that was queued
    std::int64_t backlog = long_ago;  // the most that read_end was ahead of a push
    std::uint64_t aliasing = 0;
    std::uint64_t built = 0;
    std::uint64_t frames_lost = 0;
    std::int64_t first_overrun = 0;
    bool row_used = false;  // the last window's frame will be read
    std::uint64_t data = 0; // of the last window, if they fit
    // Where entries or data can be lost before the frame FIFO:
    bool window_lost = false;
    std::int64_t pop = long_ago;      // of the last entry
    std::int64_t last_pop = long_ago; // of the last entry of windows before this one
    std::size_t entries = 0;          // of windows before this one
    std::uint64_t windows_lost = 0;
    std::uint64_t discarded = 0;
    std::uint64_t node_overruns = 0;
  };
  class NoRows;
  template <std::size_t fixed_words> class Rows;

  template <class R> void run(const StrobeArrays& strobes, R rows);
  template <class R> void builder_keeps_up(const StrobeArrays& strobes, R rows);
  template <class R> void builder_falls_behind(const StrobeArrays& strobes, R rows);
  static bool push(const Design& design, State& s, std::int64_t at);
  bool node_fifo_full(const State& s, std::uint32_t bit, std::int64_t t) const;

  Design design_;
  bool only_frames_can_be_lost_;
  State state_;
  std::uint64_t strobes_ = 0;
  std::array<std::uint32_t, remembered> vectors_{}; // of the last entries
};

} // namespace hypermon
