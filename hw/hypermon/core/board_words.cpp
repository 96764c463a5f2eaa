// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/board_words.hpp"
#include "base/clock.hpp"
#include "hw/hypermon/core/burst.hpp"
#include <bit>

namespace hypermon {

BoardWords::BoardWords(const PortParams& port, const EcbParams& ecb)
    : window_(ecb.window_ns), mask_(~std::uint64_t{0} >> (64 - ecb.timestamp_bits)),
      strobes_per_word_(static_cast<std::uint32_t>(data_per_word(port.width_bits, ecb.accumulate_bits))),
      loses_newest_window_(ecb.vector_fifo_full != WhenFull::drop_oldest),
      loses_newest_frame_(ecb.frame_fifo_full != WhenFull::drop_oldest),
      datum_bits_(static_cast<std::uint32_t>(port.width_bits)), datum_mask_(mask_of_datum(port.width_bits)),
      loss_sink_([](std::uint32_t, std::uint64_t, std::uint32_t, std::optional<LossCause>) {}) {
  const auto file = std::make_shared<SpillFile>();
  for (std::int64_t i = 0; i < ecb.inputs; ++i) inputs_.push_back({DeepQueue<Word>(1 << 15, file), {}, 0});
}

void BoardWords::keep_in_memory(std::size_t items) {
  for (Input& in : inputs_) in.words.keep_in_memory(std::max<std::size_t>(items, 2));
}

void BoardWords::strobe(std::uint32_t input, Time at, std::uint32_t datum) {
  Input& in = inputs_[input];
  ++counts_.strobes;
  in.word.add(datum & datum_mask_, datum_bits_, false);
  const std::uint64_t last = in.strobes++;
  if (in.word.data() < strobes_per_word_) return;
  in.words.push({last, static_cast<std::uint64_t>(at / window_), in.word.value(), false});
  in.word.clear();
}

void BoardWords::lost(std::uint32_t input, LossCause cause, std::optional<std::uint64_t> window, Time at) {
  if (input >= inputs_.size()) {
    ++unmatched_reports_;
    return;
  }
  Input& in = inputs_[input];
  if (cause == LossCause::aliasing || cause == LossCause::node_overrun) {
    if (in.words.empty() || in.words.newest().last + 1 != in.strobes) {
      ++unmatched_reports_;
      return;
    }
    ++(cause == LossCause::aliasing ? counts_.aliasing : counts_.node_overruns);
    lose(input, in.words.newest(), cause);
    return in.words.pop_back();
  }
  const auto place = lost_word(in, cause, window);
  if (!place) {
    ++unmatched_reports_;
    return;
  }
  count(cause, window, at);
  Word& word = in.words[*place];
  lose(input, word, cause);
  word.lost = true;
  while (!in.words.empty() && in.words.newest().lost) in.words.pop_back();
  while (!in.words.empty() && in.words.front().lost) in.words.pop();
}

// The word of exactly that window. Where a board knows only the timestamp's bits, the word that a FIFO with this policy
// loses.
std::optional<std::size_t> BoardWords::lost_word(const Input& in, LossCause cause,
                                                 std::optional<std::uint64_t> window) const {
  if (in.words.empty()) return std::nullopt;
  if (!window) return 0; // the front is never lost
  if (*window > mask_)   // more than the timestamp's bits
    if (const auto found = kept_word(in, *window, false)) return found;
  const bool newest_first = cause == LossCause::window_lost ? loses_newest_window_ : loses_newest_frame_;
  const std::uint64_t oldest = in.words.front().window;
  const std::uint64_t newest = in.words.newest().window;
  for (std::uint64_t from = newest_first ? newest : oldest;;) {
    const std::uint64_t fitting = newest_first ? from - ((from - *window) & mask_) : from + ((*window - from) & mask_);
    if (fitting < oldest || fitting > newest || (newest_first ? fitting > from : fitting < from)) return std::nullopt;
    if (const auto found = kept_word(in, fitting, newest_first)) return found;
    const std::size_t next = first_from(in, newest_first ? fitting : fitting + 1);
    if (next == (newest_first ? 0 : in.words.size())) return std::nullopt;
    from = in.words[newest_first ? next - 1 : next].window;
  }
}

// Windows of an input never decrease.
std::size_t BoardWords::first_from(const Input& in, std::uint64_t window) {
  std::size_t low = 0;
  for (std::size_t high = in.words.size(); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (in.words[middle].window < window)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::optional<std::size_t> BoardWords::kept_word(const Input& in, std::uint64_t window, bool newest) const {
  std::optional<std::size_t> found;
  for (std::size_t i = first_from(in, window); i < in.words.size() && in.words[i].window == window; ++i) {
    if (in.words[i].lost) continue;
    found = i;
    if (!newest) break;
  }
  return found;
}

// Losses of one window or frame that are reported in sequence count as one. If the reports name no window, losses at
// the same time count as one.
void BoardWords::count(LossCause cause, std::optional<std::uint64_t> window, Time at) {
  const bool of_window = cause == LossCause::window_lost;
  if (of_window) ++counts_.discarded;
  const bool again =
      reported_ && reported_->cause == cause && reported_->window == window && (window || reported_->at == at);
  reported_ = Report{cause, window, at};
  if (of_window) {
    if (!again) ++counts_.windows_lost;
  } else if (cause == LossCause::frame_lost || cause == LossCause::reader_stopped) {
    if (again)
      ++counts_.merged;
    else if (++counts_.frames_built; counts_.frames_lost++ == 0)
      counts_.first_overrun = edge_at_or_before(at);
  }
}

void BoardWords::lose(std::uint32_t input, const Word& word, std::optional<LossCause> cause) {
  loss_sink_(input, word.last + 1 - strobes_per_word_, strobes_per_word_, cause);
}

// The first window in which each input of the frame has a word with the frame's value.
std::optional<std::uint64_t> BoardWords::window_of(const EventFrame& frame) const {
  const auto first = static_cast<std::size_t>(std::countr_zero(frame.vector));
  if (first >= inputs_.size() || (std::uint64_t{frame.vector} >> inputs_.size()) != 0) return std::nullopt;
  const DeepQueue<Word>& words = inputs_[first].words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    const std::uint64_t begin = words.front().window;
    const std::uint64_t expected = begin + ((frame.timestamp - begin) & mask_);
    if (frame.stamped && word.window > expected && words.newest().window - expected <= mask_)
      break; // there is no other word
    if (!fits(word, frame) || word.value != frame.data[first]) continue;
    bool all = true;
    for (std::uint32_t left = frame.vector & (frame.vector - 1); all && left != 0; left &= left - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(left));
      all = find(inputs_[other], word.window, frame.data[other]).has_value();
    }
    if (all) return word.window;
  }
  return std::nullopt;
}

std::optional<std::size_t> BoardWords::find(const Input& in, std::uint64_t window, std::uint32_t value) const {
  for (std::size_t i = 0; i < in.words.size() && in.words[i].window <= window; ++i)
    if (!in.words[i].lost && in.words[i].window == window && in.words[i].value == value) return i;
  return std::nullopt;
}

BoardWords::Match BoardWords::frame_read(const EventFrame& frame, std::optional<LossCause> lost) {
  ++counts_.drained;
  ++counts_.frames_built;
  Match match;
  if (frame.vector == 0) {
    if (frame.stamped) match.window = next_window_ + ((frame.timestamp - next_window_) & mask_);
  } else {
    counts_.merged += static_cast<std::uint64_t>(std::popcount(frame.vector)) - 1;
    match.window = window_of(frame);
    if (!match.window && frame.stamped) match.window = next_window_ + ((frame.timestamp - next_window_) & mask_);
  }
  for (std::uint32_t left = match.window ? frame.vector : 0; left != 0; left &= left - 1) {
    const auto input = static_cast<std::uint32_t>(std::countr_zero(left));
    if (input >= inputs_.size()) break;
    const auto place = find(inputs_[input], *match.window, frame.data[input]);
    if (!place) continue;
    take(input, *place, lost);
    match.inputs |= 1u << input;
  }
  if (match.inputs != frame.vector && match.inputs == 0) match.window.reset();
  if (match.window) next_window_ = std::max(next_window_, *match.window + 1);
  return match;
}

// The words before it have been overtaken.
void BoardWords::take(std::uint32_t input, std::size_t place, std::optional<LossCause> cause) {
  DeepQueue<Word>& words = inputs_[input].words;
  for (std::size_t i = 0; i < place; ++i, words.pop())
    if (!words.front().lost) lose(input, words.front(), std::nullopt);
  if (cause) lose(input, words.front(), cause);
  words.pop();
  while (!words.empty() && words.front().lost) words.pop();
}

void BoardWords::finish() {
  for (std::uint32_t i = 0; i < inputs_.size(); ++i)
    for (auto& words = inputs_[i].words; !words.empty(); words.pop())
      if (!words.front().lost) lose(i, words.front(), std::nullopt);
}

} // namespace hypermon
