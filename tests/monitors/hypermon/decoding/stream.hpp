// SPDX-License-Identifier: BSD-3-Clause
// What a node emits, with true times: the input of the decoder tests, independent of the hardware core.
#pragma once
#include "sw/monitors/hypermon/decoder.hpp"
#include "sw/monitors/hypermon/trace_checker.hpp"
#include "tests/instrumentation/random_events.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace hypermon::test {

inline constexpr double pitch_ns = 26140;
inline constexpr Time window = 800_ns;
inline constexpr std::uint32_t header = 6; // nibbles of type code and delta

/// Bits of a datum, of a word (data that the board collects) and a word's nibbles.
struct Width {
  std::int64_t datum_bits = 4;
  std::int64_t word_bits = 4;
  std::uint32_t data_per_word() const { return static_cast<std::uint32_t>(word_bits / datum_bits); }
  double word_pitch_ns(double pitch_ns) const { return pitch_ns * data_per_word(); }
};

/// A node's port and crystal. Drift stretches pitch and clock alike (spec sec. 5).
struct NodeModel {
  NodeId node{};
  double pitch_ns = 26140;
  double drift_ppm = 0;
  Time now{}; ///< when the CPU is free
  std::int64_t datum_bits = 4;

  double slowness() const { return 1.0 / (1.0 + drift_ppm * 1e-6); }
  Time pitch() const { return Time::from_ns_rounded(pitch_ns * slowness()); }
  std::int64_t clock_us(Time t) const {
    return static_cast<std::int64_t>(std::floor(t.microseconds() * (1.0 + drift_ppm * 1e-6)));
  }
};

struct Datum {
  std::uint32_t node;
  std::uint64_t sequence;
  Time strobe;
  std::uint32_t value;
  bool flagged = false; ///< the first of an event
};

/// Data of an event: strobes.
inline std::uint32_t data_of(EventType type, std::int64_t datum_bits, const Catalogue& catalogue = Catalogue::nx2()) {
  return catalogue.nibbles(type) * 4 / static_cast<std::uint32_t>(datum_bits);
}

/// Everything that was emitted: events and their data, per node in order.
struct Emission {
  std::vector<EmittedEvent> events;
  std::vector<Datum> data; ///< sorted by time before use

  void emit(NodeModel& node, const Event& event, Time idle_before, std::uint64_t message = 0,
            MessageSide side = MessageSide::none, const Catalogue& catalogue = Catalogue::nx2()) {
    const auto previous =
        std::find_if(events.rbegin(), events.rend(), [&](const EmittedEvent& e) { return e.node == node.node; });
    const Time start = node.now + idle_before;
    std::int64_t delta = no_previous_event;
    std::uint64_t sequence = 0;
    if (previous != events.rend()) {
      delta = node.clock_us(start) - node.clock_us(previous->start);
      sequence = previous->first_sequence + data_of(previous->event.type, node.datum_bits, catalogue);
    }
    const auto record = encode_hardware(event, static_cast<std::uint16_t>(delta), catalogue);
    events.push_back(
        {node.node, event, static_cast<std::uint16_t>(delta), sequence, start, start + node.pitch(), message, side});
    Time strobe = start;
    const auto nibbles = static_cast<std::uint32_t>(node.datum_bits / 4);
    for (std::uint32_t i = 0; i < record.count; i += nibbles) {
      std::uint32_t value = 0;
      for (std::uint32_t n = 0; n < nibbles; ++n) value |= std::uint32_t{record.nibbles[i + n]} << 4 * n;
      data.push_back({index(node.node), sequence++, strobe += node.pitch(), value, i == 0});
    }
    node.now = strobe;
  }

  void sort() {
    std::stable_sort(data.begin(), data.end(), [](const Datum& a, const Datum& b) { return a.strobe < b.strobe; });
  }
};

/// Idle time before an event: none, less than a pitch, whole pitches, or up to a tick.
inline Time random_idle(Rng& rng, Time pitch) {
  switch (below(rng, 5)) {
  case 0:
  case 1:
    return {};
  case 2:
    return Time::from_ps(static_cast<std::int64_t>(below(rng, static_cast<std::uint64_t>(pitch.ps()))));
  case 3:
    return pitch * static_cast<std::int64_t>(1 + below(rng, 40));
  default:
    return Time::from_ps(static_cast<std::int64_t>(below(rng, 49'000'000'000)));
  }
}

inline NodeModel random_node(Rng& rng, std::uint32_t node, double pitch_ns, double max_drift_ppm = 100) {
  const double drift = (static_cast<double>(below(rng, 2001)) / 1000.0 - 1.0) * max_drift_ppm;
  return {NodeId{node}, pitch_ns, drift, Time::from_ps(static_cast<std::int64_t>(below(rng, 50'000'000'000)))};
}

/// `count` random events on each of `nodes` nodes.
inline Emission random_emission(Rng& rng, std::uint32_t nodes, std::size_t count, double pitch_ns,
                                std::int64_t datum_bits = 4) {
  Emission all;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    Emission one;
    NodeModel node = random_node(rng, n, pitch_ns);
    node.datum_bits = datum_bits;
    for (std::size_t i = 0; i < count; ++i) one.emit(node, random_event(rng), random_idle(rng, node.pitch()));
    all.events.insert(all.events.end(), one.events.begin(), one.events.end());
    all.data.insert(all.data.end(), one.data.begin(), one.data.end());
  }
  all.sort();
  return all;
}

/// Words that the board collects, at the strobe of their last datum. `arrives(datum)` says which data arrive; a word
/// that lacks one is lost.
template <class Arrives> std::vector<Datum> words_of(const Emission& emission, const Width& width, Arrives&& arrives) {
  std::map<std::uint32_t, Datum> collected;
  std::map<std::uint32_t, bool> complete;
  std::vector<Datum> words;
  for (const Datum& d : emission.data) {
    const auto place = static_cast<std::uint32_t>(d.sequence % width.data_per_word());
    Datum& word = collected[d.node];
    if (place == 0) {
      word = {d.node, d.sequence / width.data_per_word(), {}, 0, false};
      complete[d.node] = true;
    }
    word.value |= d.value << place * width.datum_bits;
    word.flagged = word.flagged || d.flagged;
    word.strobe = d.strobe;
    complete[d.node] = complete[d.node] && arrives(d);
    if (place + 1 == width.data_per_word() && complete[d.node]) words.push_back(word);
  }
  return words;
}

/// Ideal capture: frames of a window each, in order, read at their windows' ends.
inline std::vector<DeliveredFrame> frames_of(const std::vector<Datum>& words, Time window, const FrameFormat& format) {
  std::map<std::int64_t, EventFrame> frames;
  for (const Datum& d : words) {
    EventFrame& frame = frames.try_emplace(d.strobe / window, EventFrame{0, !format.on_request(), 0, {}}).first->second;
    frame.vector |= 1U << d.node;
    frame.data[d.node] = d.value;
    frame.stamped = frame.stamped || d.flagged;
  }
  std::vector<DeliveredFrame> delivered;
  for (auto& [k, frame] : frames) {
    if (frame.stamped) frame.timestamp = static_cast<std::uint64_t>(k) & format.timestamp_mask();
    delivered.push_back({frame, window * (k + 1), window * k});
  }
  return delivered;
}

inline const FrameFormat prototype(16, 4, 32, false);

/// Ideal capture by the prototype's board.
template <class Arrives> void capture(const Emission& emission, Time window, FrameDecoder& decoder, Arrives&& arrives) {
  decoder.push(frames_of(words_of(emission, Width{}, arrives), window, prototype));
  decoder.finish();
}

/// Collects a decoder's results.
struct Collector final : DecoderSink {
  std::vector<DecodedEvent> events;
  std::vector<DamagedSpan> spans;
  void event(const DecodedEvent& e) override { events.push_back(e); }
  void damaged(const DamagedSpan& s) override { spans.push_back(s); }
  std::uint64_t damaged_nibbles() const {
    std::uint64_t n = 0;
    for (const auto& s : spans) n += s.nibbles;
    return n;
  }
};

/// `stamp`: time at which its first word was complete.
inline bool same(const EmittedEvent& e, const DecodedEvent& d, Time window, Time stamp) {
  return e.node == d.node && e.event == d.event && e.delta_us == d.delta_us &&
         static_cast<std::uint64_t>(stamp / window) == d.first_window;
}
inline bool same(const EmittedEvent& e, const DecodedEvent& d, Time window) {
  return same(e, d, window, e.first_strobe);
}

} // namespace hypermon::test
