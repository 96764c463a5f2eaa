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
#include "hw/hypermon/core/divider.hpp"
#include "hw/hypermon/core/frame_rows.hpp"
#include "hw/hypermon/core/strobe_arrays.hpp"
#include <array>

namespace hypermon {

class ClosedForm {
public:
  /// Is it exact for this design?
  static bool holds(const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader);

  /// A design for which holds(). `wide`: with AVX2, as has_wide() says.
  ClosedForm(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
             bool wide = has_wide());
  static bool has_wide() { return __builtin_cpu_supports("avx2") != 0; }

  static constexpr std::size_t at_once = 64; ///< strobes: as many as are best taken together
  /// Takes strobes that are later than, or at the time of, those before. `rows`: where frames go, if anywhere. A row
  /// is complete, and counted by its size(), once all strobes were taken.
  void capture(const StrobeArrays& strobes, FrameRows* rows);
  /// Number of rows of FrameRows that later strobes cannot change.
  std::size_t complete_rows() const { return state_.built - state_.frames_lost - (state_.row_used ? 1 : 0); }
  /// At the end of the run, were it now.
  Counts counts() const;
  /// No more frames than this are read if strobes are from `first_ns` to `last_ns`.
  std::size_t most_frames(std::int64_t first_ns, std::int64_t last_ns, std::size_t strobes) const;

private:
  static constexpr std::int64_t long_ago = -(std::int64_t{1} << 60);
  static constexpr std::int64_t no_time = std::int64_t{1} << 62;
  static constexpr std::uint64_t no_window = ~std::uint64_t{0};
  static constexpr std::size_t longest_vector_fifo = 64; // of those whose vectors must be remembered
  static constexpr std::size_t remembered = 2 * longest_vector_fifo;

  // What does not change. Times in ns.
  struct Design {
    Divider number;
    ShortDivider number_since; // of what has passed since the begin of a window
    std::int64_t window;
    std::int64_t build;        // B
    std::int64_t frame_time;   // D
    std::int64_t vectors_full; // (depth - 1) B, and so on
    std::int64_t node_full;
    std::int64_t frames_full;
    std::size_t node_fifo_entries;
    std::uint64_t timestamp_mask;
    int log2_data_bits;
    bool wide;
  };
  /// Of a few strobes that are near each other: which windows they are in.
  struct Windows {
    std::int64_t begin;                        // of the first
    std::int64_t first_push;                   // of its frame, if it opens one
    std::uint64_t opening = 0;                 // bit i: strobe i is not in the window of the strobe before it
    std::array<std::uint32_t, at_once + 1> of; // of strobe i at i + 1, since the first; of the one before them at 0
    std::array<std::int64_t, at_once> push;    // of the frame of strobe i

    Windows(const Design& design, std::uint64_t first, std::uint64_t before, std::span<const std::int64_t> times);
    std::uint64_t joining(std::size_t n) const { return ~opening & ~std::uint64_t{0} >> (64 - n); }

  private:
    void find_each(const Design& design, const std::int64_t* times, std::size_t from, std::size_t n);
    void find_eight(const Design& design, const std::int64_t* times, std::size_t n);
  };

  // What does. A copy of it lives in registers during capture().
  struct State {
    std::uint64_t window = no_window; // of the last strobe
    std::uint32_t vector = 0;
    std::int64_t read_end = long_ago; // of the last frame that was queued
    std::int64_t backlog = long_ago;  // the most that read_end was ahead of a push
    std::uint64_t aliasing = 0;
    std::uint64_t built = 0;
    std::uint64_t frames_lost = 0;
    std::int64_t first_overrun = no_time;
    bool row_used = false; // the last window's frame will be read
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

  template <class R> void run(const StrobeArrays& strobes, R&& rows);
  template <class R> void builder_keeps_up(const StrobeArrays& strobes, R& rows);
  template <class R> void builder_falls_behind(const StrobeArrays& strobes, R& rows);
  static bool push(const Design& design, State& s, std::int64_t at);
  bool node_fifo_full(const State& s, std::uint32_t bit, std::int64_t t) const;

  Design design_;
  bool only_frames_can_be_lost_;
  State state_;
  std::uint64_t strobes_ = 0;
  std::array<std::uint32_t, remembered> vectors_{}; // of the last entries
};

} // namespace hypermon
