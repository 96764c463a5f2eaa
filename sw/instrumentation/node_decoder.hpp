// Turns one node's nibbles, each with the window in which it was captured, back into events, and finds its way
// again after lost nibbles.
//
// What it knows: the nibbles of an event are exactly one pitch apart (plus window quantisation and up to 122 ppm of
// drift); the next event's first nibble comes one pitch after the last one or later; the first nibble of an event
// names its length (catalogue.hpp); its delta is its distance to the previous event's start (record.hpp).
//
// Rules:
// 1. The first nibble that comes less than two pitches after an event's last one *is* an event's first: had a
//    leading nibble been lost, more time would have passed. Such a start is certain.
// 2. After a longer silence a leading nibble, or a whole event, may be missing. The start is taken for true once
//    type code, padding and the distance to the previous event's start (delta) agree.
// 3. A hole inside an event whose start is certain (or whose header agrees): the event is damaged, its remaining
//    nibbles are skipped by time, the next event is looked for at its end.
// 4. Otherwise the decoder hunts: every nibble in turn is a candidate start, accepted if the event there is whole,
//    has a known code and zero padding, and the *following* event has a known code and a delta that agrees with the
//    distance between the two.
//
// Guaranteed, if the pitch is at least three windows and nibbles are lost but not falsified:
// - nothing is lost while nothing is missing;
// - an event that misses a nibble is never delivered, save by the coincidence below;
// - an intact event is given up only if it follows a loss that hid its predecessor's start *and* no event whose first
//   six nibbles arrived follows it directly (another loss, or the stream's end). So one loss (any run of nibbles or
//   events) damages the events that it touches; two losses with a single intact event between them may also cost that
//   one event; two or more intact events in a row all survive.
// Not guaranteed (coincidences): a misaligned start passes with 17/256 for the code, 2 (W + 1 us) / 65536 us
// (5e-5 at 800 ns; more after a long silence, drift adds 2/8192 of it) for the delta, the padding, and when hunting
// another 17/256 for the following code. Longer windows cannot show every hole: then code, padding and delta
// are the only checks.
#pragma once
#include "hw/core/time.hpp"
#include "sw/instrumentation/record.hpp"
#include <array>
#include <cstdint>
#include <cstdlib>

namespace hypermon {

struct DecodedEvent : DecodedRecord {
  NodeId node{};
  std::uint64_t first_window = 0; ///< window of the first nibble: the monitor's timestamp
  std::uint64_t last_window = 0;
};

/// Nibbles that arrived and belong to no event that could be delivered.
struct DamagedSpan {
  NodeId node{};
  std::uint64_t first_window = 0;
  std::uint64_t last_window = 0;
  std::uint32_t nibbles = 0;
};

/// Takes what the decoder finds. Per node, calls come in the order of time.
class DecoderSink {
public:
  virtual ~DecoderSink() = default;
  virtual void event(const DecodedEvent& event) = 0;
  virtual void damaged(const DamagedSpan& span) = 0;
  /// What is found from here on was in the I/O node's memory at `end`.
  virtual void read_until(Time /*end*/) {}
};

/// What the decoder must know of the machine, as distances in windows.
class StreamTiming {
public:
  /// `pitch_ns` is the nominal time of one nibble, `clock_resolution_ns` (at least 1000, the unit of the deltas) what
  /// the clock behind the deltas advances by at once.
  StreamTiming(std::int64_t window_ns, double pitch_ns, std::int64_t clock_resolution_ns = 1000);

  /// Fewest and most windows that `pitches` can span.
  std::uint64_t earliest(std::uint32_t pitches) const { return earliest_[pitches]; }
  std::uint64_t latest(std::uint32_t pitches) const { return latest_[pitches]; }
  /// Is a clock difference of `delta_us` (modulo 2^16) the same time as `windows`?
  bool delta_agrees(std::uint16_t delta_us, std::uint64_t windows) const {
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
  std::array<std::uint64_t, max_hardware_nibbles + 2> earliest_;
  std::array<std::uint64_t, max_hardware_nibbles + 2> latest_;
};

class NodeDecoder {
public:
  NodeDecoder(NodeId node, const StreamTiming& timing, DecoderSink& sink);

  /// One nibble (below 16); windows must increase.
  void push(std::uint64_t window, std::uint8_t nibble) {
    if (!collect(window, nibble)) settle(window, nibble);
  }
  /// The part of push() that most nibbles need; false: settle() is to follow. Nibbles are at least a pitch apart, so if
  /// all of an event's come before its deadline, there is no hole between them.
  bool collect(std::uint64_t window, std::uint8_t nibble) {
    if (window > deadline_) [[unlikely]]
      return false;
    const std::uint32_t n = count_;
    nibbles_[n] = nibble;
    windows_[n] = window;
    count_ = n + 1;
    return n + 1 != length_;
  }
  /// Whatever the sink gets, it gets from here (and from finish()).
  void settle(std::uint64_t window, std::uint8_t nibble) {
    if (window > deadline_)
      irregular(window, nibble);
    else
      complete();
  }

  /// End of the stream: what is incomplete or unconfirmed is reported as damaged.
  void finish();

private:
  static constexpr std::uint32_t header_nibbles = 6; ///< type code and delta
  static constexpr std::uint32_t held_max = max_hardware_nibbles + header_nibbles;
  enum class Verdict : std::uint8_t { wait, reject, accept };

  void append(std::uint64_t window, std::uint8_t nibble) {
    nibbles_[count_] = nibble;
    windows_[count_++] = window;
  }
  void complete();
  void irregular(std::uint64_t window, std::uint8_t nibble);
  void begin(std::uint64_t window, std::uint8_t nibble);
  void deliver(DecodedEvent& event, std::uint32_t nibbles);
  void knows_start(std::uint64_t window, std::uint32_t nibbles);
  bool starts_after_previous(std::uint64_t window, std::uint16_t delta_us) const;
  bool contiguous(std::uint32_t nibbles) const;
  bool header_agrees() const;
  void hunt();
  Verdict judge() const;
  void resume();
  void drop(std::uint32_t nibbles);
  void damage(std::uint64_t window);
  void report_damage();

  // Collected: the event that began last or, while hunting, candidates.
  std::uint64_t deadline_ = 0; ///< last window in which a nibble can belong to the event; 0: none has begun
  std::uint32_t count_ = 0;
  std::uint32_t length_ = 0; ///< of the event, by its first nibble
  bool certain_ = false;     ///< the event's start is certain (rule 1)
  bool hunting_ = false;
  bool has_previous_ = false;
  NodeId node_;
  std::uint64_t previous_start_ = 0; ///< of the last event whose start is known
  std::uint64_t next_from_ = 0;      ///< first window in which the event after it may start,
  std::uint64_t certain_until_ = 0;  ///< and from which on it may lack its first nibble
  const StreamTiming* timing_;
  DecoderSink* sink_;
  DamagedSpan damage_;
  std::array<std::uint8_t, held_max + 2> nibbles_{};
  std::array<std::uint64_t, held_max> windows_{};
};

} // namespace hypermon
