// SPDX-License-Identifier: BSD-3-Clause
// Decodes one node's words to events when frames carry a timestamp on request only (spec sec. 6). The instrumentation
// flags the first datum of every event, so an event's first word is in a stamped frame. Its other words may be in
// frames without a timestamp; of those only the order and the earliest possible window are known.
//
// Without a window for each word, a gap inside an event is not visible in time: the words of the next event take the
// missing words' places. Only the next event's start shows the gap, because it is stamped and its delta gives the
// distance to the previous event. So every event waits for the next one, as always in rule 4 of node_decoder.hpp:
// - a word in a stamped frame with a known code is a candidate start;
// - the candidate is accepted if as many words follow as its first nibble requires, none of them too late for its place
//   as far as windows are known, with zero padding, and then another candidate whose delta agrees with the distance of
//   the two. Then no event lies between them and every word belongs to the event. It is delivered, with the reading
//   time of its last word;
// - otherwise its first word is given up as damaged and the next candidate is tried.
// At the end of the stream the last event is delivered if its start was confirmed (by its delta, or as the first event
// of the stream) and all its words are there.
//
// Guaranteed if the pitch is at least three windows, and words are lost but not falsified:
// - no event is lost as long as no word is missing;
// - an intact event is given up only if one of the next event's first six nibbles is missing (the stream's last event:
//   if the previous event is missing). So a lost run of words or frames costs the events that it touches and the intact
//   event before them;
// - an event with a missing word is delivered only by coincidence (as in node_decoder.hpp: code and delta).
// Not checked: the last event of the stream. If words of its end and of the begin of a next event are missing, the rest
// of the next event may be taken for its own.
#pragma once
#include "sw/monitors/hypermon/node_decoder.hpp"
#include <array>
#include <cstdint>

namespace hypermon {

class RequestDecoder {
public:
  /// `timing`, `sink` and `catalogue` must outlive this object.
  RequestDecoder(NodeId node, const StreamTiming& timing, DecoderSink& sink, std::uint32_t word_nibbles,
                 const Catalogue& catalogue);

  /// Adds one word. `window` is that of a stamped word, otherwise the earliest possible one. Windows must increase.
  /// `read_end`, `strobed_before`: as of DecoderSink::read_until().
  void push(std::uint64_t window, bool stamped, std::uint32_t word, Time read_end, Time strobed_before);
  void finish();

private:
  static constexpr std::uint32_t header_nibbles = 6; // type code and delta
  static constexpr std::uint32_t held_max = max_hardware_nibbles + 8;
  enum class Verdict : std::uint8_t { wait, reject, accept };
  struct Word {
    std::uint64_t window;
    bool stamped;
    Time read_end;
    Time strobed_before;
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
  bool starts_here_ = false;  // the first held word begins an event, as the delta showed
  bool has_previous_ = false; // an event was delivered
  std::uint32_t count_ = 0;   // words held
  DamagedSpan damage_;
  std::array<std::uint8_t, held_max + 8> nibbles_{};
  std::array<Word, held_max> words_{};
};

} // namespace hypermon
