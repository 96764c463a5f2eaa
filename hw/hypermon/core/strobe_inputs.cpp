// SPDX-License-Identifier: BSD-3-Clause
#include "hw/hypermon/core/strobe_inputs.hpp"
#include <bit>
#include <cstring>
#include <stdexcept>

namespace hypermon {

StrobeInputs::StrobeInputs(std::size_t inputs, std::size_t datum_bytes)
    : datum_bytes_(datum_bytes), datum_shift_(std::countr_zero(datum_bytes)), inputs_(inputs) {
  starting_.reserve(inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    inputs_[i].index = static_cast<std::uint32_t>(i);
    make_room(inputs_[i], 0, datum_bytes_);
  }
}

void StrobeInputs::write(const Burst& burst) {
  if (burst.input >= inputs_.size()) throw std::logic_error("internal: burst on an input that the board does not have");
  Input& in = inputs_[burst.input];
  const std::size_t bytes = burst.data.size();
  if ((bytes & (datum_bytes_ - 1)) != 0) throw std::logic_error("internal: half a datum");
  if (bytes == 0) return;
  if (burst.first < in.last_written_ || burst.spacing < 0_ps)
    throw std::logic_error("internal: an input's strobes go back");
  in.last_written_ = burst.first + burst.spacing * static_cast<std::int64_t>((bytes >> datum_shift_) - 1);

  if (in.capacity_ - in.filled_ < bytes) make_room(in, bytes, datum_bytes_);
  std::memcpy(in.buffer_.get() + in.filled_, burst.data.data(), bytes);
  in.filled_ += bytes;
  const bool idle = !in.runs();
  in.waiting_.push({burst.first, burst.spacing, bytes, burst.flag_first});
  if (!idle) return;
  in.take_waiting();
  start_later(in);
}

// Drops the data that were sampled; enlarges the buffer only if that leaves less than half of it free.
void StrobeInputs::make_room(Input& in, std::size_t bytes, std::size_t datum_bytes) {
  const std::size_t done = in.buffer_ ? static_cast<std::size_t>(in.datum - in.buffer_.get()) : 0;
  const std::size_t live = in.filled_ - done;
  const auto burst_left = static_cast<std::size_t>(in.burst_end - in.datum);
  in.first_sequence_ += done / datum_bytes;
  std::unique_ptr<std::uint8_t[]> bigger;
  if (2 * (live + bytes) > in.capacity_ || !in.buffer_) {
    in.capacity_ = std::max<std::size_t>(256, 4 * (live + bytes));
    bigger = std::make_unique_for_overwrite<std::uint8_t[]>(in.capacity_);
  }
  std::uint8_t* to = bigger ? bigger.get() : in.buffer_.get();
  if (live > 0) std::memmove(to, in.datum, live);
  if (bigger) in.buffer_ = std::move(bigger);
  in.filled_ = live;
  in.datum = in.buffer_.get();
  in.burst_end = in.datum + burst_left;
}

void StrobeInputs::start_later(Input& in) {
  auto at = starting_.end();
  while (at != starting_.begin() && at[-1]->time <= in.time) --at;
  starting_.insert(at, &in);
  limit_ = std::min(limit_, in.time);
}

// Starts the next burst if that is due before the horizon. No running input has an earlier strobe.
StrobeInputs::Input* StrobeInputs::start_due() {
  if (limit_ >= horizon_) return nullptr;
  Input& in = *starting_.back();
  starting_.pop_back();
  if (tail_ == nullptr)
    tail_ = &in;
  else
    in.next = tail_->next;
  tail_->next = &in;
  limit_ = std::min(horizon_, next_start());
  return &in;
}

void StrobeInputs::next_burst() {
  Input& in = front();
  tail_->next = in.next;
  if (&in == tail_) tail_ = nullptr;
  in.take_waiting();
  if (in.runs()) start_later(in);
}

void StrobeInputs::hold(Input& in) {
  tail_->next = in.next;
  if (&in == tail_) tail_ = nullptr;
  in.held = true;
}

void StrobeInputs::release(Input& in, Time time) {
  in.held = false;
  in.flagged = false;
  in.last = time;
  in.time = time + in.spacing;
  in.datum += datum_bytes_;
  if (!in.runs()) in.take_waiting();
  if (in.runs()) start_later(in);
}

void StrobeInputs::drop_before(Time end) {
  tail_ = nullptr;
  starting_.clear();
  limit_ = horizon_;
  for (Input& in : inputs_) {
    while (in.runs() && in.time < end) {
      const auto bytes = static_cast<std::size_t>(in.burst_end - in.datum);
      const std::size_t n = strobes_before(end, in.time, in.spacing, bytes);
      in.flagged = false;
      in.datum += n * datum_bytes_;
      in.time += in.spacing * static_cast<std::int64_t>(n);
      in.last = in.time - in.spacing;
      if (in.runs()) break;
      // Among the bursts after the first that end before `end`, only the last one affects the state.
      while (in.waiting_.size() > 1 && in.waiting_[1].first < end) {
        in.datum += in.waiting_.front().bytes;
        in.waiting_.pop();
      }
      in.burst_end = in.datum;
      in.take_waiting();
    }
    if (in.runs()) start_later(in);
  }
}

// The front is not the only input, and its next strobe is before that of the last one.
void StrobeInputs::reorder_front() {
  Input& in = front();
  Input* before = in.next;
  if (in.time <= before->time) return;
  tail_->next = before;
  while (before->next->time <= in.time) before = before->next;
  in.next = before->next;
  before->next = &in;
}

} // namespace hypermon
