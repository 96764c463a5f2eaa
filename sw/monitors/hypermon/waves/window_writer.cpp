// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/waves/window_writer.hpp"
#include <algorithm>

namespace hypermon {

WindowWriter::WindowWriter(std::string path, std::vector<Signal> signals, std::vector<bool> wanted, Limits limits)
    : path_(std::move(path)), signals_(std::move(signals)), wanted_(std::move(wanted)), limits_(limits),
      triggers_(signals_.size()), values_(signals_.size()), base_(signals_.size()) {}

void WindowWriter::window(Time from, Time to) {
  window_known_ = true;
  from_ = from;
  to_ = to;
}

void WindowWriter::around(std::vector<Trigger> triggers, Time pre, Time post) {
  for (const Trigger& trigger : triggers) triggers_[trigger.signal] = trigger;
  pre_ = pre;
  post_ = post;
}

void WindowWriter::found(Time time, Time seen, std::size_t board) {
  if (window_known_) return;
  found_ = {0, {}, board};
  is_cut_ = time - pre_ < kept_from_ && is_full_;
  window(std::max({time - pre_, kept_from_, 0_ps}), seen + post_);
  trigger_at_ = std::max(time, from_);
  for (const Change& change : kept_) pass(change);
  kept_.clear();
}

bool WindowWriter::is_trigger(const Change& change) {
  const auto& trigger = triggers_[change.signal];
  return trigger && (!trigger->above || (change.known && change.value > *trigger->above));
}

void WindowWriter::add(std::span<const Change> changes, Time until) {
  for (const Change& change : changes) {
    if (done_) return;
    if (!window_known_ && is_trigger(change)) found(change.time, change.time, triggers_[change.signal]->board);
    if (!wanted_[change.signal]) continue;
    if (window_known_)
      pass(change);
    else
      kept_.push_back(change);
    while (kept_.size() > limits_.kept) {
      is_full_ = true;
      forget_before(kept_.front().time + 1_ps);
    }
  }
  if (!window_known_) forget_before(std::min(until, held_) - pre_);
  if (window_known_ && until >= to_) done_ = true;
}

void WindowWriter::forget_before(Time time) {
  kept_from_ = std::max(kept_from_, time);
  while (!kept_.empty() && kept_.front().time < time) forget_first();
}

void WindowWriter::forget_first() {
  const Change& change = kept_.front();
  values_[change.signal] = {change.known, change.value};
  kept_.pop_front();
}

// Changes at from_ are part of the values at the begin of the file.
void WindowWriter::pass(const Change& change) {
  if (change.time >= to_ || done_) {
    done_ = true;
    return;
  }
  const bool is_event = signals_[change.signal].kind == Signal::Kind::event;
  if (change.time <= from_) {
    if (!is_event)
      values_[change.signal] = {change.known, change.value};
    else if (change.time == from_)
      at_from_.push_back(change);
    return;
  }
  if (count_ >= limits_.written) {
    to_ = change.time;
    done_ = is_cut_ = true;
    return;
  }
  open();
  write(change);
}

void WindowWriter::open() {
  if (writer_) return;
  writer_ = std::make_unique<VcdWriter>(path_, signals_, wanted_);
  for (std::uint32_t i = 0; i < signals_.size(); ++i) {
    if (!wanted_[i] || signals_[i].kind == Signal::Kind::event) continue;
    if (signals_[i].path.ends_with(".loss.data")) base_[i] = values_[i].value;
    write({from_, i, values_[i].known, values_[i].value});
  }
  for (const Change& change : at_from_) write(change);
}

void WindowWriter::write(Change change) {
  ++count_;
  change.value -= base_[change.signal];
  writer_->write({&change, 1});
}

void WindowWriter::finish(Time end) {
  done_ = true;
  if (!window_known_) return;
  to_ = std::max(from_ + 1_ps, std::min(to_, end));
  open();
  writer_->close(to_);
  written_ = {from_,
              to_,
              found_ ? std::optional(trigger_at_) : std::nullopt,
              found_ ? found_->board : 0,
              is_cut_,
              writer_->transitions()};
}

} // namespace hypermon
