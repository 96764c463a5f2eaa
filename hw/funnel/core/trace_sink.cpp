// SPDX-License-Identifier: BSD-3-Clause
#include "hw/funnel/core/trace_sink.hpp"

#include <algorithm>

namespace hypermon {

TraceSink::TraceSink(const TraceSinkParams& params, Time clock, std::size_t sources)
    : clock_(clock), depth_(static_cast<std::uint64_t>(params.buffer_bytes.number)), policy_(params.full),
      at_end_(params.reads == SinkReads::at_end), burst_bytes_(static_cast<std::uint64_t>(params.burst_bytes.number)),
      burst_time_(on_edge(params.burst_ns)), latency_(on_edge(params.latency_ns)),
      most_in_flight_(static_cast<std::size_t>(params.bursts_in_flight)), blackout_at_(params.blackout_at_ms),
      blackout_for_(params.blackout_for_ms), blackout_every_(params.blackout_every_ms),
      listed_(listed_blackouts(params.blackouts_ms).value_or(std::vector<Blackout>{})), synced_(sources) {}

bool TraceSink::at_edge(Time edge, const Ending& ending) {
  bool changed = false;
  if (burst_ > 0 && burst_end_ <= edge) {
    end_burst(edge);
    changed = true;
  }
  while (!flights_.empty() && flights_.front().arrives <= edge) {
    land(flights_.front());
    flights_.pop();
    changed = true;
  }
  if (const std::uint64_t bytes = next_burst(ending); bytes > 0 && !blackout(edge)) {
    burst_ = bytes;
    burst_end_ = edge + burst_time_;
    burst_units_ = 0;
    for (std::uint64_t covered = 0; covered < offset_ + bytes; ++burst_units_)
      covered += units_[burst_units_].unit.size;
    ++counts_.bursts;
    changed = true;
  }
  return changed;
}

/// Size of the burst that begins if none is leaving; 0 if none can begin.
std::uint64_t TraceSink::next_burst(const Ending& ending) const {
  if (burst_ > 0 || level_ == 0 || flights_.size() >= most_in_flight_ || (at_end_ && !ending.read_out)) return 0;
  if (level_ < burst_bytes_ && !ending.stopped && units_.front().number >= flushed_) return 0;
  return std::min(level_, burst_bytes_);
}

void TraceSink::end_burst(Time edge) {
  std::uint64_t left = burst_;
  while (left > 0) {
    const Unit& oldest = units_.front();
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, oldest.unit.size - offset_));
    if (stream_) {
      const bool gap = offset_ == 0 && oldest.number != left_;
      if (gap || left == burst_) pieces_.push({0, gap});
      pieces_[pieces_.size() - 1].bytes += n;
      std::copy_n(oldest.unit.bytes.begin() + static_cast<std::ptrdiff_t>(offset_), n, flying_.room(n));
      flying_.add(n);
    }
    left -= n;
    offset_ += n;
    left_ = oldest.number;
    if (offset_ < oldest.unit.size) break;
    ++left_;
    offset_ = 0;
    units_.pop();
  }
  level_ -= burst_;
  left_at_edge_ = burst_;
  flights_.push({edge + latency_, left_, static_cast<std::size_t>(burst_)});
  burst_ = 0;
  burst_units_ = 0;
}

void TraceSink::land(const Flight& flight) {
  counts_.delivered_bytes += flight.bytes;
  counts_.end = flight.arrives;
  for (std::size_t bytes = flight.bytes; stream_ && bytes > 0; pieces_.pop()) {
    const Piece piece = pieces_.front();
    stream_(flying_.first(piece.bytes), piece.gap, flight.arrives);
    flying_.pop_front(piece.bytes);
    bytes -= piece.bytes;
  }
  for (; !messages_.empty() && messages_.front().last_unit < flight.units; messages_.pop())
    judge(messages_[0], flight.arrives);
}

/// The message's last byte has arrived: decides whether the analyst can decode it.
void TraceSink::judge(FormattedTrace& m, Time arrival) {
  for (; !gaps_.empty() && gaps_.front().begin <= m.last_unit; gaps_.pop()) gap_end_ = gaps_.front().end;
  std::optional<std::uint64_t>& synced = synced_[m.message.source];
  if (m.kind == TraceKind::sync) {
    if (m.known_unit >= gap_end_) synced = m.known_unit;
  } else if (m.first_unit < gap_end_) { // a part of it is missing
    lose(m, policy_ == WhenFull::drop_oldest ? TraceLossCause::overwritten : TraceLossCause::sink_full, arrival);
  } else if (!synced || *synced < gap_end_) {
    lose(m, TraceLossCause::no_sync, arrival);
  } else {
    m.message.delivered = arrival;
    delivered_.push_back(m.message);
    counts_.delivered.add(m.payload);
    in_sink_.remove(m.payload);
  }
}

void TraceSink::add(const FormattedTrace& message) {
  messages_.push(message);
  if (message.kind == TraceKind::data) in_sink_.add(message.payload);
}

void TraceSink::arrive(const TraceUnit& unit, Time edge) {
  const std::uint64_t number = next_unit_++;
  counts_.stream_bytes += unit.size;
  if (policy_ == WhenFull::drop_oldest)
    for (std::size_t keep = kept(); level_ + left_at_edge_ + unit.size > depth_ && units_.size() > keep;) {
      const Unit oldest = units_[keep];
      units_.erase(keep);
      level_ -= oldest.unit.size;
      lose_unit(oldest.number, oldest.unit.size, TraceLossCause::overwritten, edge);
    }
  if (level_ + left_at_edge_ + unit.size > depth_) {
    lose_unit(number, unit.size,
              policy_ == WhenFull::drop_oldest ? TraceLossCause::overwritten : TraceLossCause::sink_full, edge);
    return;
  }
  units_.push({number, unit});
  level_ += unit.size;
  counts_.peak_sink_bytes = std::max(counts_.peak_sink_bytes, level_);
}

/// Number of the oldest units of which a byte has left or is leaving. These are not overwritten.
std::size_t TraceSink::kept() const { return std::max<std::size_t>(burst_units_, offset_ > 0 ? 1 : 0); }

void TraceSink::lose_unit(std::uint64_t number, std::size_t bytes, TraceLossCause cause, Time edge) {
  counts_.lost_stream_bytes[static_cast<std::size_t>(cause)] += bytes;
  if (!gaps_.empty() && gaps_[gaps_.size() - 1].end == number)
    ++gaps_[gaps_.size() - 1].end;
  else
    gaps_.push({number, number + 1});
  // Messages that end in the lost unit are the newest ones, or follow those whose units are kept.
  if (number + 1 == next_unit_) {
    std::size_t first = messages_.size();
    while (first > 0 && messages_[first - 1].last_unit == number) --first;
    for (std::size_t i = first; i < messages_.size(); ++i) lose(messages_[i], cause, edge);
    while (messages_.size() > first) messages_.pop_back();
    return;
  }
  std::size_t i = 0;
  while (i < messages_.size() && messages_[i].last_unit < number) ++i;
  for (; i < messages_.size() && messages_[i].last_unit == number; messages_.erase(i)) lose(messages_[i], cause, edge);
}

void TraceSink::lose(const FormattedTrace& message, TraceLossCause cause, Time time) {
  if (message.kind == TraceKind::sync) return;
  counts_.lost[static_cast<std::size_t>(cause)].add(message.payload);
  in_sink_.remove(message.payload);
  if (loss_sink_) loss_sink_({message.message.source, message.message.sequence, cause, time});
}

Time TraceSink::blackout_end(Time t) const {
  Time end = t;
  for (bool found = true; found;) { // a blackout may follow another one
    found = false;
    if (blackout_for_ > Time() && end >= blackout_at_) {
      const bool again = blackout_every_ > Time();
      const Time begin =
          again ? blackout_at_ + blackout_every_ * ((end - blackout_at_) / blackout_every_) : blackout_at_;
      if (end < begin + blackout_for_) end = begin + blackout_for_, found = true;
    }
    const auto listed = std::upper_bound(listed_.begin(), listed_.end(), end,
                                         [](Time time, const Blackout& b) { return time < b.begin; });
    if (listed != listed_.begin() && end < std::prev(listed)->end) end = std::prev(listed)->end, found = true;
  }
  return end;
}

Time TraceSink::next_event(Time edge, const Ending& ending) const {
  Time next = Time::never();
  if (burst_ > 0) next = burst_end_;
  if (!flights_.empty()) next = std::min(next, flights_.front().arrives);
  if (next_burst(ending) > 0) next = std::min(next, std::max(on_edge(blackout_end(edge + clock_)), edge + clock_));
  return next;
}

void TraceSink::count(TraceFunnelCounts& counts) const {
  counts.lost = counts_.lost;
  counts.in_sink = in_sink_;
  counts.delivered = counts_.delivered;
  counts.stream_bytes = counts_.stream_bytes;
  counts.delivered_bytes = counts_.delivered_bytes;
  counts.lost_stream_bytes = counts_.lost_stream_bytes;
  counts.in_sink_bytes = level_;
  for (std::size_t i = 0; i < flights_.size(); ++i) counts.in_sink_bytes += flights_[i].bytes;
  counts.bursts = counts_.bursts;
  counts.peak_sink_bytes = counts_.peak_sink_bytes;
  counts.end = counts_.end;
}

} // namespace hypermon
