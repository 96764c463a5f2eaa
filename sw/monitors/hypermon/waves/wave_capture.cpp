// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/waves/wave_capture.hpp"
#include <algorithm>

namespace hypermon {

WaveCapture::WaveCapture(const Spec& spec, const WaveRequest& request)
    : request_(request), waves_(spec, request.path, request.wanted) {
  if (request.trigger)
    first_.emplace(spec, *request.trigger);
  else
    waves_.reader.window(request.from, request.to);
  if (request.trigger && request.trigger->above) exact_.emplace(spec, *request.trigger);
}

void WaveCapture::add(NodeId node, Time first, Time spacing, std::span<const std::uint8_t> data, std::uint64_t,
                      MessageSide) {
  if (waves_.reader.done()) return;
  Row& row = pending_.emplace_back();
  row.first = first;
  row.spacing = spacing;
  row.node = index(node);
  row.bytes = static_cast<std::uint8_t>(data.size());
  std::copy(data.begin(), data.end(), row.data.begin());
}

void WaveCapture::message_sent(std::size_t board, Time at) {
  if (!waves_.reader.done()) pending_.push_back({at, 0_ps, static_cast<std::uint32_t>(board), 0, {}});
}

void WaveCapture::sort_before(Time horizon) {
  const auto later =
      std::stable_partition(pending_.begin(), pending_.end(), [&](const Row& row) { return row.first < horizon; });
  std::stable_sort(pending_.begin(), later);
  rows_.insert(rows_.end(), pending_.begin(), later);
  pending_.erase(pending_.begin(), later);
}

template <class Reader> void WaveCapture::play(At<Reader>& at, Time horizon) {
  if (at.reader.done()) return; // rows that the reader has not read may have been dropped
  for (auto row = rows_.begin() + static_cast<std::ptrdiff_t>(at.row - forgotten_);
       row != rows_.end() && row->first < horizon && !at.reader.done(); ++row, ++at.row) {
    if (row->bytes == 0)
      at.reader.message_sent(row->node, row->first);
    else
      at.reader.add({row->node, row->first, row->spacing, std::span(row->data).first(row->bytes)});
  }
}

void WaveCapture::advance(Time horizon) {
  if (waves_.reader.done()) return;
  if (exact_ && !trigger_) play(*exact_, Time::never()); // rows of the last step
  sort_before(horizon);
  if (first_ && !trigger_) {
    play(*first_, horizon);
    if (first_->reader.advance(horizon)) look(horizon);
  }
  const bool known = !first_ || trigger_;
  play(waves_, known ? horizon : std::max(horizon - request_.pre, 0_ps));
  forget();
}

// The first search has found the trigger before `horizon`, or the step in which it happens.
void WaveCapture::look(Time horizon) {
  trigger_ = first_->reader.found();
  if (trigger_ && !trigger_->exact) {
    exact_->reader.watch_from(trigger_->time);
    play(*exact_, horizon);
    horizon == Time::never() ? exact_->reader.finish() : static_cast<void>(exact_->reader.advance(horizon));
    trigger_ = exact_->reader.found();
  }
  if (trigger_) waves_.reader.window(std::max(trigger_->time - request_.pre, 0_ps), trigger_->time + request_.post);
}

void WaveCapture::forget() {
  std::uint64_t needed = waves_.reader.done() ? forgotten_ + rows_.size() : waves_.row;
  if (exact_ && !trigger_) needed = std::min(needed, exact_->row);
  rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(needed - forgotten_));
  forgotten_ = needed;
}

void WaveCapture::close(Time program_end) {
  waves_.reader.program_ends(program_end);
  if (first_) first_->reader.program_ends(program_end);
  if (exact_) exact_->reader.program_ends(program_end);
  sort_before(Time::never());
  if (first_ && !trigger_) {
    play(*first_, Time::never());
    first_->reader.finish();
    look(Time::never());
    if (!trigger_) return;
  }
  play(waves_, Time::never());
  written_ = {first_ ? std::max(trigger_->time - request_.pre, 0_ps) : request_.from,
              first_ ? trigger_->time + request_.post : request_.to, trigger_, waves_.reader.finish()};
}

} // namespace hypermon
