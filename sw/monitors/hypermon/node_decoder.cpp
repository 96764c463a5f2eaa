// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/node_decoder.hpp"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace hypermon {

namespace {
constexpr std::int64_t delta_period_ns = (std::int64_t{1} << 16) * 1000;

/// Error of a delta, the difference of two clock readings that are rounded down to the clock's resolution and to whole
/// microseconds. If one of the two units is a multiple of the other, there is only one rounding.
constexpr std::int64_t delta_error_ns(std::int64_t resolution_ns) {
  const bool once = resolution_ns % 1000 == 0 || 1000 % resolution_ns == 0;
  return once ? std::max<std::int64_t>(resolution_ns, 1000) : resolution_ns + 1000;
}
} // namespace

StreamTiming::StreamTiming(std::int64_t window_ns, double pitch_ns, std::int64_t clock_resolution_ns, bool held)
    : window_ns_(window_ns), tolerance_ns_(window_ns + delta_error_ns(clock_resolution_ns)), held_(held) {
  // A strobe may be anywhere in its window, so k pitches span floor(k p / W) or ceil(k p / W) windows.
  const double windows_per_pitch = pitch_ns / static_cast<double>(window_ns);
  const double drift = std::ldexp(1.0, -drift_shift);
  constexpr std::uint64_t ever = std::uint64_t{1} << 62; // windows
  for (std::size_t k = 0; k < earliest_.size(); ++k) {
    const double windows = static_cast<double>(k) * windows_per_pitch;
    earliest_[k] = static_cast<std::uint64_t>(std::floor(windows * (1.0 - drift)));
    latest_[k] = held && k > 0 ? ever : static_cast<std::uint64_t>(std::ceil(windows * (1.0 + drift)));
  }
}

bool StreamTiming::wrapped_delta_agrees(std::int64_t error_ns, std::int64_t tolerance_ns) {
  const std::int64_t rest_ns = std::abs(error_ns) % delta_period_ns;
  return std::min(rest_ns, delta_period_ns - rest_ns) <= tolerance_ns;
}

NodeDecoder::NodeDecoder(NodeId node, const StreamTiming& timing, DecoderSink& sink, std::uint32_t word_nibbles,
                         const Catalogue& catalogue)
    : word_shift_(static_cast<std::uint8_t>(std::countr_zero(word_nibbles))), node_(node), timing_(&timing),
      catalogue_(&catalogue), sink_(&sink) {
  damage_.node = node;
}

void NodeDecoder::complete() {
  DecodedEvent event;
  late_from_ = 0;
  if (decode_hardware(nibbles_.data(), event, *catalogue_) && starts_after_previous(windows_[0], event.delta_us))
      [[likely]] {
    count_ = 0;
    deliver(event, windows_[0], windows_[length_ - 1], length_);
  } else {
    hunting_ = true;
    hunt();
  }
}

// True if the first `length` collected words, as far as they have arrived, have no gap.
bool NodeDecoder::contiguous(std::uint32_t length) const {
  const std::uint32_t last = std::min(length, count_) - 1;
  return windows_[last] - windows_[0] <= timing_->latest(last);
}

// True if type code and delta of the event being collected have arrived and agree.
bool NodeDecoder::header_agrees() const {
  if (count_ < header_words() || !contiguous(header_words())) return false;
  const std::uint32_t header = gather_nibbles(nibbles_.data());
  return catalogue_->has_code(static_cast<std::uint8_t>(header)) &&
         starts_after_previous(windows_[0], static_cast<std::uint16_t>(header >> 8));
}

inline void NodeDecoder::begin(std::uint64_t window, std::uint32_t word) {
  if (window < next_from_) { // rest of a damaged event
    damage(window);
    return;
  }
  certain_ = window < certain_until_;
  append(window, word);
  length_ = length_by_first_nibble();
  late_from_ = window + timing_->latest(length_ - 1) + 1;
  if (length_ == 1) complete();
}

// No event has begun, or this word comes after the end of an incomplete one.
void NodeDecoder::irregular(std::uint64_t window, std::uint32_t word) {
  if (count_ != 0 && !hunting_) {
    if (certain_ || header_agrees()) {
      knows_start(windows_[0], length_);
      drop(count_);
    } else {
      hunting_ = true;
    }
    late_from_ = 0;
  }
  if (hunting_) {
    append(window, word);
    hunt();
  } else {
    begin(window, word);
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

// Decides whether the first collected word is the start of an event (rule 4), at the latest with held_max nibbles.
NodeDecoder::Verdict NodeDecoder::judge() const {
  const auto code_is_known = [this](std::uint32_t at) {
    const std::uint8_t* code = &nibbles_[at << word_shift_];
    return count_ < at + words(2 + word_nibbles() - 1) ||
           catalogue_->has_code(static_cast<std::uint8_t>(code[0] | code[1] << 4));
  };
  const std::uint32_t length = length_by_first_nibble();
  if (!contiguous(length) || !code_is_known(0)) return Verdict::reject;
  if (count_ < length) return Verdict::wait;
  DecodedRecord record;
  if (!decode_hardware(nibbles_.data(), record, *catalogue_)) return Verdict::reject;
  if (!code_is_known(length)) return Verdict::reject;
  if (count_ < length + header_words()) return Verdict::wait;
  const auto next_delta_us = static_cast<std::uint16_t>(gather_nibbles(&nibbles_[length << word_shift_]) >> 8);
  return timing_->delta_agrees(next_delta_us, windows_[length] - windows_[0]) ? Verdict::accept : Verdict::reject;
}

// The first collected event is confirmed: delivers it and processes the words after it as usual.
void NodeDecoder::resume() {
  const auto nibbles = nibbles_;
  const auto windows = windows_;
  const std::uint32_t held = count_;
  const std::uint32_t length = length_by_first_nibble();
  DecodedEvent event;
  decode_hardware(nibbles.data(), event, *catalogue_);
  hunting_ = false;
  count_ = 0;
  deliver(event, windows[0], windows[length - 1], length);
  const std::uint32_t word_mask = ~std::uint32_t{0} >> (32 - 4 * word_nibbles());
  for (std::uint32_t i = length; i < held; ++i)
    push(windows[i], gather_nibbles(&nibbles[i << word_shift_]) & word_mask);
}

void NodeDecoder::drop(std::uint32_t length) {
  for (std::uint32_t i = 0; i < length; ++i) damage(windows_[i]);
  std::copy(nibbles_.begin() + (length << word_shift_), nibbles_.begin() + (count_ << word_shift_), nibbles_.begin());
  std::copy(windows_.begin() + length, windows_.begin() + count_, windows_.begin());
  count_ -= length;
}

void NodeDecoder::damage(std::uint64_t window) {
  if (damage_.nibbles == 0) damage_.first_window = window;
  damage_.last_window = window;
  damage_.nibbles += word_nibbles();
  if (damage_.nibbles == max_hardware_nibbles) report_damage();
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
