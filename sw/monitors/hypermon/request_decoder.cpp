// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/request_decoder.hpp"
#include <algorithm>
#include <bit>

namespace hypermon {

RequestDecoder::RequestDecoder(NodeId node, const StreamTiming& timing, DecoderSink& sink, std::uint32_t word_nibbles,
                               const Catalogue& catalogue)
    : node_(node), timing_(&timing), catalogue_(&catalogue), sink_(&sink),
      word_shift_(static_cast<std::uint8_t>(std::countr_zero(word_nibbles))) {
  damage_.node = node;
}

void RequestDecoder::push(std::uint64_t window, bool stamped, std::uint32_t word, Time read_end, Time strobed_before) {
  spread_nibbles(word, &nibbles_[count_ << word_shift_]);
  words_[count_++] = {window, stamped, read_end, strobed_before};
  sink_->read_until(read_end, strobed_before);
  settle();
}

void RequestDecoder::settle() {
  DecodedEvent event;
  while (count_ != 0) {
    switch (judge(event)) {
    case Verdict::wait:
      return;
    case Verdict::reject:
      damage_first();
      break;
    case Verdict::accept:
      deliver(event);
      starts_here_ = true; // the next event's delta agreed
      break;
    }
  }
}

// True for a flagged word that may be a known code. (A word of four bits has only half of the code.)
bool RequestDecoder::may_start_at(std::uint32_t word) const {
  if (word >= count_) return true;
  const bool code_is_there = word + words(2) <= count_;
  return words_[word].stamped && (!code_is_there || catalogue_->has_code(static_cast<std::uint8_t>(header_at(word))));
}

// True if the first `length` words have arrived and form an event.
bool RequestDecoder::whole(std::uint32_t length, DecodedRecord& record) const {
  return count_ >= length && decode_hardware(nibbles_.data(), record, *catalogue_);
}

// Decides whether the first held word begins an event, at the latest with held_max nibbles.
RequestDecoder::Verdict RequestDecoder::judge(DecodedEvent& event) const {
  const std::uint32_t length = first_length();
  if (!may_start_at(0)) return Verdict::reject;
  for (std::uint32_t i = 1; i < std::min(length, count_); ++i)
    if (words_[i].window - words_[0].window > timing_->latest(i)) return Verdict::reject;
  if (count_ < length) return Verdict::wait;
  if (!whole(length, event) || !may_start_at(length)) return Verdict::reject;
  if (count_ < length + words(header_nibbles)) return Verdict::wait;
  const auto next_delta_us = static_cast<std::uint16_t>(header_at(length) >> 8);
  return timing_->delta_agrees(next_delta_us, words_[length].window - words_[0].window) ? Verdict::accept
                                                                                        : Verdict::reject;
}

void RequestDecoder::deliver(DecodedEvent& event) {
  const std::uint32_t length = first_length();
  const Word& last = words_[length - 1];
  has_previous_ = true;
  event.node = node_;
  event.first_window = words_[0].window;
  event.last_window = last.window;
  if (damage_.nibbles != 0) report_damage();
  sink_->read_until(last.read_end, last.strobed_before);
  sink_->event(event);
  remove(length);
}

void RequestDecoder::damage_first() {
  if (damage_.nibbles == 0) damage_.first_window = words_[0].window;
  damage_.last_window = words_[0].window;
  damage_.nibbles += word_nibbles();
  if (damage_.nibbles == max_hardware_nibbles) report_damage();
  starts_here_ = false;
  remove(1);
}

void RequestDecoder::report_damage() {
  sink_->damaged(damage_);
  damage_.nibbles = 0;
}

void RequestDecoder::remove(std::uint32_t length) {
  std::copy(nibbles_.begin() + (length << word_shift_), nibbles_.begin() + (count_ << word_shift_), nibbles_.begin());
  std::copy(words_.begin() + length, words_.begin() + count_, words_.begin());
  count_ -= length;
}

void RequestDecoder::finish() {
  DecodedEvent event;
  if (count_ != 0 && whole(first_length(), event) &&
      (starts_here_ || (!has_previous_ && event.delta_us == no_previous_event)))
    deliver(event);
  while (count_ != 0) damage_first();
  if (damage_.nibbles != 0) report_damage();
}

} // namespace hypermon
