// SPDX-License-Identifier: BSD-3-Clause
// Decodes one node's words, each with the window of its capture, to events, and resynchronizes after lost words.
// (Frames with timestamps on request use request_decoder.hpp.)
//
// A *word* is the part of a frame for one input: 4, 8, 16 or 32 bits of the event's record, the first nibble lowest; in
// the prototype it is a nibble. Records are whole 32-bit words, so no word belongs to two events. A word's pitch is the
// time between two words of an event: the port's pitch, or the time of all data that the board collects for one word. A
// collected word is stamped when it is complete. So the window of such an event is that of its first word's last
// strobe, (collected data - 1) port pitches after its first strobe; this shift is the same for all events, and
// distances between events do not change.
//
// The decoder uses these facts. The words of an event are exactly one pitch apart (plus window quantization and up to
// 122 ppm of drift). The next event's first word follows the last word by one pitch or more. The first nibble of an
// event determines its length (catalogue.hpp). Its delta is the distance to the previous event's start (record.hpp).
//
// Rules:
// 1. A word that comes less than two pitches after an event's last word *is* an event's first word: if a leading word
//    had been lost, more time would have passed. Such a start is certain.
// 2. After a longer silence a leading word, or a whole event, may be missing. The start is accepted once type code,
//    padding and the distance to the previous event's start (delta) agree.
// 3. A gap in an event whose start is certain (or whose header agrees) makes the event damaged. Its remaining words are
//    skipped by time, and the next event is expected at its end.
// 4. Otherwise the decoder hunts: every word in turn is a candidate for a start. It is accepted if its event is
//    complete with a known code and zero padding, and the *following* event has a known code and a delta that agrees
//    with the distance between the two.
//
// Guaranteed if the pitch is at least three windows, and words are lost but not falsified:
// - no event is lost as long as no word is missing;
// - an event with a missing word is never delivered, except by the coincidence described below;
// - an intact event is given up only if it follows a loss that hid its predecessor's start *and* no event whose first
//   six nibbles arrived follows it directly (because of another loss or the stream's end). So one loss (any run of
//   words or events) damages only the events that it touches. Two losses with a single intact event between them may
//   also cost that event. Two or more consecutive intact events all survive.
// A datum that is lost before it was collected into a word shifts all later data: no further event is found, and
// everything that arrives is reported as damaged.
// Not guaranteed (coincidences): a misaligned start passes the check of the code with probability 17/256, the check of
// the delta with 2 (W + 1 us) / 65536 us (5e-5 at 800 ns; more after a long silence, because drift adds 2/8192 of it),
// the check of the padding, and in a hunt the check of the following code with 17/256. With longer windows not every
// gap is visible; then code, padding and delta are the only checks.
#pragma once
#include "base/time.hpp"
#include "sw/instrumentation/record.hpp"
#include <array>
#include <cstdint>
#include <cstdlib>

namespace hypermon {

struct DecodedEvent : DecodedRecord {
  NodeId node{};
  std::uint64_t first_window = 0; ///< window of the first word: the monitor's timestamp
  std::uint64_t last_window = 0;  ///< window of the last word; without a timestamp, the earliest possible one
};

/// Nibbles that arrived but belong to no event that could be delivered.
struct DamagedSpan {
  NodeId node{};
  std::uint64_t first_window = 0;
  std::uint64_t last_window = 0;
  std::uint32_t nibbles = 0;
};

/// Receives the decoder's results. Calls for one node are in the order of time.
class DecoderSink {
public:
  virtual ~DecoderSink() = default;
  virtual void event(const DecodedEvent& event) = 0;
  virtual void damaged(const DamagedSpan& span) = 0;
  /// Results from here on were in the I/O node's memory at `end`. Their data were strobed before `strobed`, which only
  /// the simulator knows.
  void read_until(Time end, Time strobed) {
    read_end_ = end;
    strobed_before_ = strobed;
  }
  void read_until(Time end) { read_until(end, end); }

protected:
  Time read_end() const { return read_end_; }
  Time strobed_before() const { return strobed_before_; }

private:
  Time read_end_{};
  Time strobed_before_{};
};

/// Timing of the machine for the decoder, as distances in windows.
class StreamTiming {
public:
  /// `pitch_ns`: nominal time of one word (see above). `clock_resolution_ns`: step of the clock behind the deltas,
  /// which count microseconds.
  ///
  /// `held`: the port may hold writes, so that words come later, but never earlier, than these values. Then silences
  /// show no gaps, and deltas are not checked.
  StreamTiming(std::int64_t window_ns, double pitch_ns, std::int64_t clock_resolution_ns = 1000, bool held = false);

  Time window() const { return Time::from_ns(window_ns_); }
  /// Smallest and largest number of windows in `pitches` pitches.
  std::uint64_t earliest(std::uint32_t pitches) const { return earliest_[pitches]; }
  std::uint64_t latest(std::uint32_t pitches) const { return latest_[pitches]; }
  /// True if a clock difference of `delta_us` (modulo 2^16) agrees with a distance of `windows` windows.
  bool delta_agrees(std::uint16_t delta_us, std::uint64_t windows) const {
    if (held_) [[unlikely]]
      return true;
    const std::int64_t distance_ns = static_cast<std::int64_t>(windows) * window_ns_;
    const std::int64_t tolerance_ns = tolerance_ns_ + (distance_ns >> drift_shift);
    const std::int64_t error_ns = distance_ns - std::int64_t{delta_us} * 1000;
    return std::abs(error_ns) <= tolerance_ns || wrapped_delta_agrees(error_ns, tolerance_ns);
  }

private:
  // Bound of crystal drift (chosen): 1/8192 = 122 ppm. Facts: 25 ppm between nodes.
  static constexpr int drift_shift = 13;

  static bool wrapped_delta_agrees(std::int64_t error_ns, std::int64_t tolerance_ns);

  std::int64_t window_ns_;
  std::int64_t tolerance_ns_;
  bool held_;
  std::array<std::uint64_t, max_hardware_nibbles + 2> earliest_;
  std::array<std::uint64_t, max_hardware_nibbles + 2> latest_;
};

class NodeDecoder {
public:
  /// `word_nibbles`: 1, 2, 4 or 8. `timing`, `sink` and `catalogue` must outlive this object.
  NodeDecoder(NodeId node, const StreamTiming& timing, DecoderSink& sink, std::uint32_t word_nibbles = 1,
              const Catalogue& catalogue = Catalogue::nx2());

  /// Adds one word, which must not have excess bits. Windows must increase.
  void push(std::uint64_t window, std::uint32_t word) {
    if (!(word_shift_ == 0 ? collect<true>(window, word) : collect<false>(window, word))) settle(window, word);
  }
  /// The part of push() that suffices for most words. If it returns false, settle() must follow. Words are at least a
  /// pitch apart, so if no word of an event is late, there is no gap between them. `nibble`: words
  /// are nibbles.
  template <bool nibble> bool collect(std::uint64_t window, std::uint32_t word) {
    if (window >= late_from_) [[unlikely]]
      return false;
    const std::uint32_t n = count_;
    put<nibble>(n, word);
    windows_[n] = window;
    count_ = n + 1;
    return n + 1 != length_;
  }
  /// The rest of push(). The sink is only called from here, finish() and take().
  void settle(std::uint64_t window, std::uint32_t word) {
    if (window >= late_from_)
      irregular(window, word);
    else
      complete();
  }

  std::uint32_t words(std::uint32_t nibbles) const { return nibbles >> word_shift_; }
  /// Tries to take a whole event: its first nibble says that the next `length` words belong to it, the first in window
  /// `first`, the last in `last`. If push() of all these words would deliver the event, does the same and returns true.
  /// Otherwise does nothing.
  template <class WordAt>
  [[gnu::always_inline]] bool take(std::uint64_t first, std::uint64_t last, std::uint32_t length, WordAt&& word_at) {
    if (count_ != 0 || hunting_ || first < next_from_ || last > first + timing_->latest(length - 1)) [[unlikely]]
      return false;
    DecodedEvent event;
    if (!decode_words(*catalogue_, word_at, length << word_shift_, event) ||
        !starts_after_previous(first, event.delta_us)) [[unlikely]]
      return false;
    deliver(event, first, last, length);
    return true;
  }

  /// End of the stream: incomplete or unconfirmed words are reported as damaged.
  void finish();

private:
  static constexpr std::uint32_t header_nibbles = 6; ///< type code and delta
  static constexpr std::uint32_t held_max = max_hardware_nibbles + header_nibbles;
  enum class Verdict : std::uint8_t { wait, reject, accept };

  // Counts and lengths are in words, unless their names contain "nibbles".
  template <bool nibble> void put(std::uint32_t n, std::uint32_t word) {
    if constexpr (nibble)
      nibbles_[n] = static_cast<std::uint8_t>(word);
    else
      spread_nibbles(word, &nibbles_[n << word_shift_]); // writes eight nibbles, some of them in the next words' places
  }
  void append(std::uint64_t window, std::uint32_t word) {
    word_shift_ == 0 ? put<true>(count_, word) : put<false>(count_, word);
    windows_[count_++] = window;
  }
  void complete();
  void irregular(std::uint64_t window, std::uint32_t word);
  void begin(std::uint64_t window, std::uint32_t word);
  void deliver(DecodedEvent& event, std::uint64_t first, std::uint64_t last, std::uint32_t length) {
    knows_start(first, length);
    event.node = node_;
    event.first_window = first;
    event.last_window = last;
    if (damage_.nibbles != 0) [[unlikely]]
      report_damage();
    sink_->event(event);
  }
  void knows_start(std::uint64_t window, std::uint32_t length) {
    has_previous_ = true;
    previous_start_ = window;
    next_from_ = window + timing_->earliest(length);
    certain_until_ = window + timing_->earliest(length + 1);
  }
  bool starts_after_previous(std::uint64_t window, std::uint16_t delta_us) const {
    return has_previous_ ? timing_->delta_agrees(delta_us, window - previous_start_) : delta_us == no_previous_event;
  }
  std::uint32_t length_by_first_nibble() const { return words(catalogue_->nibbles_by_first(nibbles_[0])); }
  std::uint32_t header_words() const { return words(header_nibbles + word_nibbles() - 1); }
  std::uint32_t word_nibbles() const { return 1U << word_shift_; }
  bool contiguous(std::uint32_t length) const;
  bool header_agrees() const;
  void hunt();
  Verdict judge() const;
  void resume();
  void drop(std::uint32_t length);
  void damage(std::uint64_t window);
  void report_damage();

  // State of the words collected so far, which are the latest event or, while hunting, candidates for an event's start.
  std::uint64_t late_from_ = 0; ///< first window whose words cannot belong to the event; 0: no event has begun
  std::uint32_t count_ = 0;
  std::uint32_t length_ = 0; ///< length of the event, by its first nibble
  bool certain_ = false;     ///< the event's start is certain (rule 1)
  bool hunting_ = false;
  bool has_previous_ = false;
  std::uint8_t word_shift_; ///< log2 of the nibbles of a word
  NodeId node_;
  std::uint64_t previous_start_ = 0; ///< start of the last event whose start is known
  std::uint64_t next_from_ = 0;      ///< first window in which the next event may start
  std::uint64_t certain_until_ = 0;  ///< first window from which that event may lack its first word
  const StreamTiming* timing_;
  const Catalogue* catalogue_;
  DecoderSink* sink_;
  DamagedSpan damage_;
  std::array<std::uint8_t, held_max + 2 + 8> nibbles_{}; // put() always writes eight nibbles
  std::array<std::uint64_t, held_max> windows_{};
};

} // namespace hypermon
