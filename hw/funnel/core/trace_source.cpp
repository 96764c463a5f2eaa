// SPDX-License-Identifier: BSD-3-Clause
#include "hw/funnel/core/trace_source.hpp"

#include <stdexcept>
#include <string>

namespace hypermon {

TraceSource::TraceSource(const TraceFunnelDesign& design, std::uint32_t number)
    : number_(number), protocol_(design.protocol),
      timestamps_(design.protocol.timestamp_ns, design.protocol.timestamp_bits),
      depth_(static_cast<std::uint64_t>(design.sources[number].fifo_bytes.number)),
      resume_(static_cast<std::uint64_t>(design.sources[number].resume_bytes.number)),
      port_bytes_(static_cast<std::size_t>(design.sources[number].port_bytes.number)),
      word_bytes_(static_cast<std::size_t>(design.link.width_bits / 8)),
      stalls_(design.sources[number].full == WhenFull::stall),
      whole_messages_(design.link.grant == TraceGrant::message),
      in_frames_(design.formatter.format == TraceFormat::frames),
      sync_counts_bytes_(design.protocol.sync_counts == SyncCounts::bytes),
      sync_every_(static_cast<std::uint64_t>(design.protocol.sync_every)),
      longest_payload_(protocol_.longest_payload(depth_)), since_sync_(std::numeric_limits<std::uint64_t>::max()) {
} // a sync is due, so that it precedes the first message

void TraceSource::write(Time at, std::span<const std::uint8_t> payload) {
  if (payload.empty() || payload.size() > longest_payload_)
    throw std::invalid_argument("a message of " + std::to_string(payload.size()) + " bytes: 1 to " +
                                std::to_string(longest_payload_) + " fit into the source's FIFO");
  const auto least = static_cast<std::uint32_t>(protocol_.data_size(payload.size(), 0));
  pending_.push({at, static_cast<std::uint32_t>(payload.size()), least});
  least_pending_ += least;
  std::copy(payload.begin(), payload.end(), payloads_.room(payload.size()));
  payloads_.add(payload.size());
}

void TraceSource::arrive() {
  const Pending& message = pending_[held_];
  counts_.written.add(message.size);
  if (held_ == 0) {
    if (!overflowing_ && enter(message.written)) return;
    if (!stalls_) return drop();
    held_since_ = message.written;
    ++counts_.stalls;
  }
  ++held_;
  counts_.held.add(message.size);
}

/// Lets the first pending message enter now, if there is room for it with the longest timestamp.
bool TraceSource::enter(Time now) {
  const Pending message = pending_.front();
  if (!fits(protocol_.longest_data(message.size))) return false;
  const std::uint64_t timestamp = stamp(now);
  const std::uint64_t difference = (timestamp - last_stamp_) & protocol_.timestamp_mask();
  const std::size_t size = protocol_.data_size(message.size, difference);
  if (keep_bytes_) protocol_.write_data(number_, payloads_.first(message.size), difference, scratch_);
  add(TraceKind::data, size, message.size, message.written, now);
  last_stamp_ = timestamp;
  since_sync_ += sync_counts_bytes_ ? size : 1;
  if (sync_every_ > 0 && since_sync_ >= sync_every_) sync_due_ = true;
  resumed_at_ = now;
  forget_first();
  return true;
}

void TraceSource::add_sync(Time now) {
  const std::uint64_t timestamp = stamp(now);
  if (keep_bytes_) protocol_.write_sync(number_, timestamp, scratch_);
  add(TraceKind::sync, protocol_.sync_size(timestamp), 0, now, now);
  ++counts_.syncs;
  last_stamp_ = timestamp;
  since_sync_ = 0;
  sync_due_ = false;
}

/// Adds a message to the FIFO. Its bytes, if they are kept, are in scratch_.
void TraceSource::add(TraceKind kind, std::size_t size, std::uint32_t payload, Time written, Time now) {
  inside_.push({kind, static_cast<std::uint32_t>(size), payload, sequence_, stamp(now), written, now, 0, 0, false});
  if (whole_messages_) at_port_.push(static_cast<std::uint32_t>(size));
  if (kind == TraceKind::data) counts_.inside.add(payload);
  if (keep_bytes_) {
    std::copy(scratch_.begin(), scratch_.end(), encoded_.room(size));
    encoded_.add(size);
    scratch_.clear();
  }
  level_ += size;
  counts_.encoded_bytes += size;
  counts_.peak_fifo_bytes = std::max(counts_.peak_fifo_bytes, level_);
}

/// With packets, a decoder that knows the source's ID can find a sync alone. With nexus, a decoder finds a message only
/// after the end of the previous one. Frames separate the sources, so that this is the source's own previous message.
/// Without frames it can be a message of any source, in the previous unit.
void TraceSource::begin(EnteredTrace& message, std::uint64_t unit, std::uint64_t id_unit) const {
  message.begun = true;
  message.first_unit = unit;
  if (!in_frames_)
    message.known_unit = unit > 0 ? unit - 1 : 0;
  else
    message.known_unit = protocol_.encoding() == TraceEncoding::packets ? id_unit : last_end_;
}

void TraceSource::drop() {
  const Pending message = pending_.front();
  if (!overflowing_) ++counts_.overflows;
  overflowing_ = true;
  counts_.dropped.add(message.size);
  if (loss_sink_) loss_sink_({number_, sequence_, TraceLossCause::source_full, message.written});
  resumed_at_ = message.written;
  forget_first();
}

void TraceSource::forget_first() {
  payloads_.pop_front(pending_.front().size);
  least_pending_ -= pending_.front().least;
  pending_.pop();
  ++sequence_;
}

// Bytes join the newest word that stays on the link if it has room. Otherwise they begin a new word if the link had
// room.
bool TraceSource::move_to_link(WordQueue& link, Time edge) {
  if (level_ == 0) return false;
  const bool join = !link.empty() && link.newest().bytes < word_bytes_ && !link.newest().ends_message;
  if (!join && !link.had_room(edge)) return false;
  std::uint64_t n = std::min<std::uint64_t>(port_bytes_, level_);
  if (join) n = std::min<std::uint64_t>(n, word_bytes_ - link.newest().bytes);
  bool ends = false;
  if (whole_messages_) {
    n = std::min<std::uint64_t>(n, at_port_.front());
    at_port_[0] -= static_cast<std::uint32_t>(n);
    ends = at_port_.front() == 0;
    if (ends) at_port_.pop();
  }
  if (join) {
    link.newest().bytes = static_cast<std::uint8_t>(link.newest().bytes + n);
    link.newest().ends_message = ends;
  } else {
    link.put({static_cast<std::uint16_t>(number_), static_cast<std::uint8_t>(n), ends});
    counts_.peak_link_words = std::max<std::uint64_t>(counts_.peak_link_words, link.size());
  }
  level_ -= n;
  left_at_edge_ = n;
  return true;
}

bool TraceSource::enter_at(Time edge) {
  bool changed = false;
  if (overflowing_ && level_ + left_at_edge_ <= resume_) {
    if (keep_bytes_) protocol_.write_overflow(number_, scratch_);
    add(TraceKind::overflow, protocol_.overflow_size(), 0, edge, edge);
    ++counts_.markers;
    add_sync(edge);
    overflowing_ = false;
    changed = true;
  } else if (sync_due_ && !overflowing_ && fits(protocol_.longest_sync())) {
    add_sync(edge);
    changed = true;
  }
  while (held_ > 0 && !sync_due_) {
    const Pending message = pending_.front();
    if (!enter(edge)) break;
    counts_.held.remove(message.size);
    if (--held_ == 0) counts_.stalled += edge - held_since_;
    changed = true;
  }
  left_at_edge_ = 0;
  return changed;
}

std::int64_t TraceSource::edges_until_entry() const {
  const Pending& last = pending_[pending_.size() - 1];
  const std::uint64_t least = least_pending_ - last.least + protocol_.longest_data(last.size); // least room needed
  if (level_ + least <= depth_) return 0;
  return static_cast<std::int64_t>((level_ + least - depth_ + port_bytes_ - 1) / port_bytes_);
}

} // namespace hypermon
