// SPDX-License-Identifier: BSD-3-Clause
// Turns one node's words back into events when frames carry a timestamp on request only (spec sec. 6): the
// instrumentation flags the first datum of every event, so an event's first word is in a stamped frame. Its others may
// be in frames without a timestamp; of those the order is known, and the first window in which they can have been.
//
// Without a window for each word a hole inside an event is not seen by time: the words of the next event move up into
// its place. What shows it is the next event's start, which is stamped and says in its delta how far the event before
// it lies back. So every event waits for the next one (node_decoder.hpp's rule 4, always):
// - a word in a stamped frame with a known code is a candidate start;
// - it is one if so many words follow as its first nibble asks for, none of them, by what windows are known, too late
//   for its place, with zero padding, and then another candidate, whose delta agrees with the distance of the two. Then
//   no event lies between them and every word is the event's own: it is delivered, as read when its last word was;
// - else its first word is given up as damaged and the next candidate is tried.
// At the end of the stream the last event is delivered if its start was confirmed (by its delta, or as the stream's
// first event) and its words are there.
//
// Guaranteed, if the pitch is at least three windows and words are lost but not falsified:
// - nothing is lost while nothing is missing;
// - an intact event is given up only if a word of the next event's first six nibbles is missing (the stream's last: if
//   the one before is missing): a lost run of words or frames costs the events that it touches and the intact one
//   before them;
// - an event that misses a word is delivered only by coincidence (as in node_decoder.hpp: code and delta).
// Not checked: the last event of the stream; if words of its end and of the beginning of a next one are missing, the
// next one's rest may pass for its own.
#pragma once
#include "sw/monitors/hypermon/node_decoder.hpp"
#include <array>
#include <cstdint>

namespace hypermon {

class RequestDecoder {
public:
  /// `timing`, `sink` and `catalogue` must live longer.
  RequestDecoder(NodeId node, const StreamTiming& timing, DecoderSink& sink, std::uint32_t word_nibbles,
                 const Catalogue& catalogue);

  /// One word and when it had been read. `window` is the word's if it is stamped, else the first in which it can have
  /// been; windows must increase.
  void push(std::uint64_t window, bool stamped, std::uint32_t word, Time read_end);
  void finish();

private:
  static constexpr std::uint32_t header_nibbles = 6; // type code and delta
  static constexpr std::uint32_t held_max = max_hardware_nibbles + 8;
  enum class Verdict : std::uint8_t { wait, reject, accept };
  struct Word {
    std::uint64_t window;
    bool stamped;
    Time read_end;
  };

  std::uint32_t word_nibbles() const { return 1U << word_shift_; }
  std::uint32_t words(std::uint32_t nibbles) const { return (nibbles + word_nibbles() - 1) >> word_shift_; }
  std::uint32_t header_at(std::uint32_t word) const { return gather_nibbles(&nibbles_[word << word_shift_]); }
  std::uint32_t first_length() const { return words(catalogue_->nibbles_by_first(nibbles_[0])); }
  bool may_start_at(std::uint32_t word) const;
  bool whole(std::uint32_t length, DecodedRecord& record) const;
  Verdict judge(DecodedEvent& event) const;
  void settle();
  void deliver(DecodedEvent& event);
  void damage_first();
  void report_damage();
  void remove(std::uint32_t length);

  NodeId node_;
  const StreamTiming* timing_;
  const Catalogue* catalogue_;
  DecoderSink* sink_;
  std::uint8_t word_shift_;   // log2 of the nibbles of a word
  bool starts_here_ = false;  // the first held word is an event's first: the delta said so
  bool has_previous_ = false; // an event was delivered
  std::uint32_t count_ = 0;   // words held
  DamagedSpan damage_;
  std::array<std::uint8_t, held_max + 8> nibbles_{};
  std::array<Word, held_max> words_{};
};

} // namespace hypermon
