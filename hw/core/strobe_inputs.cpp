#include "hw/core/strobe_inputs.hpp"
#include <cstring>
#include <stdexcept>

namespace hypermon {

StrobeInputs::StrobeInputs(std::size_t inputs) : inputs_(inputs) {
  starting_.reserve(inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    inputs_[i].index = static_cast<std::uint32_t>(i);
    inputs_[i].bit = 1u << i;
    inputs_[i].shift = EventFrame::shift(inputs_[i].index);
    make_room(inputs_[i], 0);
  }
}

void StrobeInputs::write(const Burst& burst) {
  if (burst.input >= inputs_.size()) throw std::logic_error("internal: burst on an input that the board does not have");
  Input& in = inputs_[burst.input];
  const std::size_t size = burst.data.size();
  if (size == 0) return;
  if (burst.first < in.last_ || burst.spacing < 0_ps) throw std::logic_error("internal: an input's strobes go back");
  in.last_ = burst.first + burst.spacing * static_cast<std::int64_t>(size - 1);

  if (in.buffer_.size() - in.filled_ < size) make_room(in, size);
  std::memcpy(in.buffer_.data() + in.filled_, burst.data.data(), size);
  in.filled_ += size;
  if (in.runs()) {
    in.waiting_.push({burst.first, burst.spacing, size});
  } else {
    in.time = burst.first;
    in.spacing = burst.spacing;
    in.burst_end = in.datum + size;
    start_later(in);
  }
}

// Drops the data that were sampled; enlarges the buffer only if that does not leave half of it free.
void StrobeInputs::make_room(Input& in, std::size_t size) {
  const std::size_t done = in.buffer_.empty() ? 0 : static_cast<std::size_t>(in.datum - in.buffer_.data());
  const std::size_t live = in.filled_ - done;
  const auto burst_left = static_cast<std::size_t>(in.burst_end - in.datum);
  in.sampled_before_ = in.sampled_sequence();
  in.sampled = nullptr;
  in.first_sequence_ += done;
  std::vector<std::uint8_t> bigger;
  if (2 * (live + size) > in.buffer_.size() || in.buffer_.empty())
    bigger.resize(std::max<std::size_t>(256, 4 * (live + size)));
  std::uint8_t* to = bigger.empty() ? in.buffer_.data() : bigger.data();
  if (live > 0) std::memmove(to, in.datum, live);
  if (!bigger.empty()) in.buffer_ = std::move(bigger);
  in.filled_ = live;
  in.datum = in.buffer_.data();
  in.burst_end = in.datum + burst_left;
}

void StrobeInputs::start_later(Input& in) {
  auto at = starting_.end();
  while (at != starting_.begin() && at[-1]->time <= in.time) --at;
  starting_.insert(at, &in);
  limit_ = std::min(limit_, in.time);
}

// The next burst starts if that is before the horizon. No running input has a strobe before it.
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

bool StrobeInputs::apart(Time end, Time distance, std::size_t most) const {
  std::size_t strobes = 0;
  for (const Input& in : inputs_) {
    if (!in.runs() || in.time >= end) continue;
    if (in.spacing < distance) return false;
    const auto left = static_cast<std::size_t>(in.burst_end - in.datum);
    strobes += left;
    Time last = in.time + in.spacing * static_cast<std::int64_t>(left - 1);
    for (std::size_t i = 0; i < in.waiting_.size() && in.waiting_[i].first < end; ++i) {
      const Input::Waiting& burst = in.waiting_[i];
      if (burst.first - last < distance || burst.spacing < distance) return false;
      last = burst.first + burst.spacing * static_cast<std::int64_t>(burst.size - 1);
      strobes += burst.size;
    }
  }
  return strobes <= most;
}

// The front is not the last, and comes before the last.
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
