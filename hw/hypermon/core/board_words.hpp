// SPDX-License-Identifier: BSD-3-Clause
// Account of the words that a user's board has taken: which of them are in the frames that were read, and which
// are lost.
#pragma once
#include "base/deep_queue.hpp"
#include "base/losses.hpp"
#include "hw/hypermon/core/accumulator.hpp"
#include "hw/hypermon/core/counts.hpp"
#include "hw/hypermon/core/frame.hpp"
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace hypermon {

/// A word is one datum, or the data that an input collects (ecb.accumulate_bits). A word in a frame is recognised by
/// its input, the window of its last strobe, of which the timestamp's bits count, and its value. The words of an input
/// are read in the order in which they were written: a word that a later one overtakes is lost in the board.
class BoardWords {
public:
  BoardWords(const PortParams& port, const EcbParams& ecb);

  /// Called for each lost word, in order for each input: number of the word's first strobe on the input, number of its
  /// strobes, cause. No cause: lost in the board.
  using LossSink =
      std::function<void(std::uint32_t input, std::uint64_t first, std::uint32_t strobes, std::optional<LossCause>)>;
  void on_loss(LossSink sink) { loss_sink_ = std::move(sink); }
  void keep_in_memory(std::size_t items);

  /// A strobe at `at`, in the board's time; times of an input increase.
  void strobe(std::uint32_t input, Time at, std::uint32_t datum);
  /// The board reports a loss at `at`: the newest word of the input, or its word of `window` (empty: its oldest
  /// one).
  void lost(std::uint32_t input, LossCause cause, std::optional<std::uint64_t> window, Time at);
  struct Match {
    std::uint32_t inputs = 0;            ///< inputs whose word was found
    std::optional<std::uint64_t> window; ///< the frame's window, if known
  };
  /// A frame was read. Its words count as read; with a cause, as lost for it.
  Match frame_read(const EventFrame& frame, std::optional<LossCause> lost);
  /// Nothing is left in the board: all words that were not read are lost in it.
  void finish();

  /// Number of strobes in the incomplete word of an input.
  std::uint64_t accumulating(std::uint32_t input) const { return inputs_[input].word.data(); }
  /// Counts of the losses that the board reported and of the frames that were read, without times and peak.
  const Counts& counts() const { return counts_; }
  /// Reported losses that match no word.
  std::uint64_t unmatched_reports() const { return unmatched_reports_; }

private:
  struct Word {
    std::uint64_t last; // number of its last strobe
    std::uint64_t window;
    std::uint32_t value;
    bool lost;
    template <class Coder> void code(Coder& c, Word& before) {
      c(last, before.last);
      c(window, before.window);
      c(value, before.value);
      c.fixed(lost);
    }
  };
  struct Input {
    DeepQueue<Word> words; // oldest first
    Accumulator word;
    std::uint64_t strobes = 0;
  };
  struct Report { // the last reported loss of a window or a frame, for counting these
    LossCause cause;
    std::optional<std::uint64_t> window;
    Time at;
  };

  std::optional<std::uint64_t> window_of(const EventFrame& frame) const;
  std::optional<std::size_t> lost_word(const Input& in, LossCause cause, std::optional<std::uint64_t> window) const;
  /// Place of the first word of `window` or of a later one.
  static std::size_t first_from(const Input& in, std::uint64_t window);
  /// The oldest or the newest word of `window` that is not lost.
  std::optional<std::size_t> kept_word(const Input& in, std::uint64_t window, bool newest) const;
  std::optional<std::size_t> find(const Input& in, std::uint64_t window, std::uint32_t value) const;
  void take(std::uint32_t input, std::size_t place, std::optional<LossCause> cause);
  void lose(std::uint32_t input, const Word& word, std::optional<LossCause> cause);
  void count(LossCause cause, std::optional<std::uint64_t> window, Time at);
  bool fits(const Word& word, const EventFrame& frame) const {
    return !word.lost && (!frame.stamped || (word.window & mask_) == frame.timestamp);
  }

  Time window_;
  std::uint64_t mask_; // mask of timestamps
  std::uint32_t strobes_per_word_;
  bool loses_newest_window_; // a full FIFO of windows, or of frames, loses its newest entry
  bool loses_newest_frame_;
  std::uint32_t datum_bits_;
  std::uint32_t datum_mask_;
  std::vector<Input> inputs_;
  std::uint64_t next_window_ = 0; // first window that the next frame can belong to
  std::optional<Report> reported_;
  Counts counts_;
  std::uint64_t unmatched_reports_ = 0;
  LossSink loss_sink_;
};

} // namespace hypermon
