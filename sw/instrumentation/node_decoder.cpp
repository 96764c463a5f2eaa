#include "sw/instrumentation/node_decoder.hpp"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hypermon {

namespace {
constexpr std::int64_t delta_period_ns = (std::int64_t{1} << 16) * 1000;
} // namespace

StreamTiming::StreamTiming(std::int64_t window_ns, double pitch_ns, std::int64_t clock_resolution_ns)
    : window_ns_(window_ns), tolerance_ns_(window_ns + clock_resolution_ns) {
  // A strobe at any place of its window: k pitches span floor(k p / W) or ceil(k p / W) windows.
  const double windows_per_pitch = pitch_ns / static_cast<double>(window_ns);
  const double drift = std::ldexp(1.0, -drift_shift);
  for (std::size_t k = 0; k < earliest_.size(); ++k) {
    const double windows = static_cast<double>(k) * windows_per_pitch;
    earliest_[k] = static_cast<std::uint64_t>(std::floor(windows * (1.0 - drift)));
    latest_[k] = static_cast<std::uint64_t>(std::ceil(windows * (1.0 + drift)));
  }
}

bool StreamTiming::wrapped_delta_agrees(std::int64_t error_ns, std::int64_t tolerance_ns) {
  const std::int64_t rest_ns = std::abs(error_ns) % delta_period_ns;
  return std::min(rest_ns, delta_period_ns - rest_ns) <= tolerance_ns;
}

NodeDecoder::NodeDecoder(NodeId node, const StreamTiming& timing, DecoderSink& sink)
    : node_(node), timing_(&timing), sink_(&sink) {
  damage_.node = node;
}

inline bool NodeDecoder::starts_after_previous(std::uint64_t window, std::uint16_t delta_us) const {
  return has_previous_ ? timing_->delta_agrees(delta_us, window - previous_start_) : delta_us == no_previous_event;
}

inline void NodeDecoder::knows_start(std::uint64_t window, std::uint32_t nibbles) {
  has_previous_ = true;
  previous_start_ = window;
  next_from_ = window + timing_->earliest(nibbles);
  certain_until_ = window + timing_->earliest(nibbles + 1);
}

// Event and delta are there already; its nibbles are the first of the collected ones.
inline void NodeDecoder::deliver(DecodedEvent& event, std::uint32_t nibbles) {
  knows_start(windows_[0], nibbles);
  event.node = node_;
  event.first_window = windows_[0];
  event.last_window = windows_[nibbles - 1];
  if (damage_.nibbles != 0) report_damage();
  sink_->event(event);
}

void NodeDecoder::complete() {
  DecodedEvent event;
  deadline_ = 0;
  if (decode_hardware(nibbles_.data(), event) && starts_after_previous(windows_[0], event.delta_us)) [[likely]] {
    count_ = 0;
    deliver(event, length_);
  } else {
    hunting_ = true;
    hunt();
  }
}

// Did the first `nibbles` of the collected ones, as far as they are there, come without a hole?
bool NodeDecoder::contiguous(std::uint32_t nibbles) const {
  const std::uint32_t last = std::min(nibbles, count_) - 1;
  return windows_[last] - windows_[0] <= timing_->latest(last);
}

// Are type code and delta of the event being collected there and right?
bool NodeDecoder::header_agrees() const {
  if (count_ < header_nibbles || !contiguous(header_nibbles)) return false;
  const std::uint32_t header = gather_nibbles(nibbles_.data());
  return type_of_code(static_cast<std::uint8_t>(header)).has_value() &&
         starts_after_previous(windows_[0], static_cast<std::uint16_t>(header >> 8));
}

inline void NodeDecoder::begin(std::uint64_t window, std::uint8_t nibble) {
  if (window < next_from_) { // rest of a damaged event
    damage(window);
    return;
  }
  certain_ = window < certain_until_;
  length_ = hardware_nibbles_by_first(nibble);
  deadline_ = window + timing_->latest(length_ - 1);
  append(window, nibble);
}

// No event has begun, or this nibble comes after the end of one that is not complete.
void NodeDecoder::irregular(std::uint64_t window, std::uint8_t nibble) {
  if (count_ != 0 && !hunting_) {
    if (certain_ || header_agrees()) {
      knows_start(windows_[0], length_);
      drop(count_);
    } else {
      hunting_ = true;
    }
    deadline_ = 0;
  }
  if (hunting_) {
    append(window, nibble);
    hunt();
  } else {
    begin(window, nibble);
  }
}

void NodeDecoder::hunt() {
  while (count_ != 0) {
    switch (judge()) {
    case Verdict::wait:
      return;
    case Verdict::reject:
      drop(1);
      break;
    case Verdict::accept:
      resume();
      return;
    }
  }
}

// Is the first collected nibble the start of an event (rule 4)? Decided with held_max nibbles at the latest.
NodeDecoder::Verdict NodeDecoder::judge() const {
  const auto code_is_known = [this](std::uint32_t at) {
    return count_ < at + 2 || type_of_code(static_cast<std::uint8_t>(nibbles_[at] | nibbles_[at + 1] << 4)).has_value();
  };
  const std::uint32_t length = hardware_nibbles_by_first(nibbles_[0]);
  if (!contiguous(length) || !code_is_known(0)) return Verdict::reject;
  if (count_ < length) return Verdict::wait;
  DecodedRecord record;
  if (!decode_hardware(nibbles_.data(), record)) return Verdict::reject;
  if (!code_is_known(length)) return Verdict::reject;
  if (count_ < length + header_nibbles) return Verdict::wait;
  const auto next_delta_us = static_cast<std::uint16_t>(gather_nibbles(nibbles_.data() + length) >> 8);
  return timing_->delta_agrees(next_delta_us, windows_[length] - windows_[0]) ? Verdict::accept : Verdict::reject;
}

// The first collected event is confirmed: delivers it and takes what is behind it in the ordinary way.
void NodeDecoder::resume() {
  const auto nibbles = nibbles_;
  const auto windows = windows_;
  const std::uint32_t held = count_;
  const std::uint32_t length = hardware_nibbles_by_first(nibbles[0]);
  DecodedEvent event;
  decode_hardware(nibbles.data(), event);
  hunting_ = false;
  count_ = 0;
  deliver(event, length);
  for (std::uint32_t i = length; i < held; ++i) push(windows[i], nibbles[i]);
}

void NodeDecoder::drop(std::uint32_t nibbles) {
  for (std::uint32_t i = 0; i < nibbles; ++i) damage(windows_[i]);
  std::copy(nibbles_.begin() + nibbles, nibbles_.begin() + count_, nibbles_.begin());
  std::copy(windows_.begin() + nibbles, windows_.begin() + count_, windows_.begin());
  count_ -= nibbles;
}

void NodeDecoder::damage(std::uint64_t window) {
  if (damage_.nibbles == 0) damage_.first_window = window;
  damage_.last_window = window;
  if (++damage_.nibbles == max_hardware_nibbles) report_damage();
}

void NodeDecoder::report_damage() {
  sink_->damaged(damage_);
  damage_.nibbles = 0;
}

void NodeDecoder::finish() {
  drop(count_);
  if (damage_.nibbles != 0) report_damage();
}

} // namespace hypermon
