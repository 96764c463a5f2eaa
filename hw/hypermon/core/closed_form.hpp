// SPDX-License-Identifier: BSD-3-Clause
// The board in closed form (spec secs. 2 and 3): no queues, no clock, a few integers for each strobe.
//
// Where full FIFOs drop the newest entry and the reader is ideal, no stage waits for a later one. So as soon as the
// first strobe opens a window, it is known whether the window is lost, when its entry is taken, when its frame is
// pushed, whether the frame is lost, and when it has been read:
//
//   window ends at n     lost if p_last - n >= (vector FIFO depth - 1) B     p = max(n + 1, p_last + B),  f = p + B
//   frame pushed at f    lost if e_last - f >= (frame FIFO depth - 1) D      e = max(f + 1, e_last) + D
//
// B is the builder's time for a window and D the reader's time for a frame. Levels follow from the last item, because
// waiting items leave one B or D apart: before edge x, the number of items with p >= x is floor((p_last - x) / B) + 1.
// The series may extend back beyond the first item of a busy builder or reader, but such terms lie before x: p_first -
// B = n_first + 1 - B < n, and e_first - D = f_first + 1 < f, as successive frames are at least two edges apart
// (holds()).
#pragma once
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/divider.hpp"
#include "hw/hypermon/core/frame_rows.hpp"
#include "hw/hypermon/core/strobe_arrays.hpp"
#include <array>

namespace hypermon {

class ClosedForm {
public:
  /// Whether the closed form is exact for this design.
  static bool holds(const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader);

  /// The design must satisfy holds(). `wide`: use AVX2, which requires has_wide().
  ClosedForm(const PortParams& port, const EcbParams& ecb, const PbxParams& pbx, const ReaderParams& reader,
             bool wide = has_wide());
  static bool has_wide() { return __builtin_cpu_supports("avx2") != 0; }

  static constexpr std::size_t at_once = 64; ///< number of strobes that are processed together
  /// Takes strobes whose times do not decrease over all calls. `rows` receives the frames; null: they are only counted.
  /// Rows are complete, and counted by rows->size(), once all strobes were taken.
  void capture(const StrobeArrays& strobes, FrameRows* rows);
  /// Number of rows of FrameRows that later strobes cannot change.
  std::size_t complete_rows() const { return state_.built - state_.frames_lost - (state_.row_used ? 1 : 0); }
  /// Counts if the run ended now.
  Counts counts() const;
  /// Upper bound of the frames that are read if all strobes are from `first_ns` to `last_ns`.
  std::size_t most_frames(std::int64_t first_ns, std::int64_t last_ns, std::size_t strobes) const;

private:
  static constexpr std::int64_t long_ago = -(std::int64_t{1} << 60);
  static constexpr std::int64_t no_time = std::int64_t{1} << 62;
  static constexpr std::uint64_t no_window = ~std::uint64_t{0};
  static constexpr std::size_t longest_vector_fifo = 64; // longest FIFO whose vectors must be remembered
  static constexpr std::size_t remembered = 2 * longest_vector_fifo;

  // Constants of the design. Times in ns.
  struct Design {
    Divider number;
    ShortDivider number_since; // window number relative to a known window, from the time since that window began
    std::int64_t window;
    std::int64_t build;        // B
    std::int64_t frame_time;   // D
    std::int64_t vectors_full; // (depth - 1) B
    std::int64_t node_full;
    std::int64_t frames_full;
    std::size_t node_fifo_entries;
    std::uint64_t timestamp_mask;
    int log2_data_bits;
    bool wide;
  };
  /// The windows of a few strobes that are close in time.
  struct Windows {
    std::int64_t begin;        // begin of the first strobe's window
    std::int64_t first_push;   // push of its frame, if it opens a window
    std::uint64_t opening = 0; // bit i: strobe i is in another window than the strobe before it
    // Number of strobe i's window at i + 1, relative to the first strobe's; that of the strobe before them at 0.
    std::array<std::uint32_t, at_once + 1> numbers;
    std::array<std::int64_t, at_once> push; // push of the frame of strobe i

    Windows(const Design& design, std::uint64_t first, std::uint64_t before, std::span<const std::int64_t> times);
    std::uint64_t joining(std::size_t n) const { return ~opening & ~std::uint64_t{0} >> (64 - n); }

  private:
    void find_each(const Design& design, const std::int64_t* times, std::size_t from, std::size_t n);
    void find_eight(const Design& design, const std::int64_t* times, std::size_t n);
  };

  // The variables of capture(), which keeps a copy of them in registers.
  struct State {
    std::uint64_t window = no_window; // window of the last strobe
    std::uint32_t vector = 0;
    std::int64_t read_end = long_ago; // end of reading the last frame that was queued
    std::int64_t backlog = long_ago;  // the most that read_end was ahead of a push
    std::uint64_t aliasing = 0;
    std::uint64_t built = 0;
    std::uint64_t frames_lost = 0;
    std::int64_t first_overrun = no_time;
    bool row_used = false; // the last window's frame will be read
    // Used where entries or data can be lost before the frame FIFO:
    bool window_lost = false;
    std::int64_t pop = long_ago;      // time at which the last entry is taken
    std::int64_t last_pop = long_ago; // time at which the last entry of earlier windows is taken
    std::size_t entries = 0;          // number of entries of earlier windows
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
  std::array<std::uint32_t, remembered> vectors_{}; // vectors of the last entries
};

} // namespace hypermon
