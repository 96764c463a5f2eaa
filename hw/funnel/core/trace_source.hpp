// SPDX-License-Identifier: BSD-3-Clause
// A source of messages: its FIFO, what happens when that is full, its synchronisation, its port to the link.
#pragma once
#include "base/queues.hpp"
#include "hw/core/timestamp_generator.hpp"
#include "hw/funnel/core/design.hpp"
#include "hw/funnel/core/protocol.hpp"
#include "hw/funnel/core/trace_counts.hpp"
#include "hw/funnel/core/word_queue.hpp"

#include <functional>
#include <span>

namespace hypermon {

/// A message that entered a source's FIFO.
struct EnteredTrace {
  TraceKind kind;
  std::uint32_t left;    ///< of its encoded bytes: those that are not formatted
  std::uint32_t payload; ///< 0 but of data
  std::uint64_t sequence;
  std::uint64_t timestamp;
  Time written, entered;
  std::uint64_t first_unit; ///< of the formatter's, that has a byte of it; once `begun`
  std::uint64_t known_unit; ///< from there on an analyst who begins anew finds its begin
  bool begun;
};

class TraceSource {
public:
  TraceSource(const TraceFunnelDesign& design, std::uint32_t number);

  void keep_bytes() { keep_bytes_ = true; }
  void on_loss(std::function<void(const LostTrace&)> sink) { loss_sink_ = std::move(sink); }

  std::size_t longest_payload() const { return longest_payload_; }
  /// A message that is written at a time that is still to come; in the order of the times.
  void write(Time at, std::span<const std::uint8_t> payload);
  /// Bytes of the first of those.
  std::size_t next_size() const { return pending_[held_].size; }
  /// It is written now.
  void arrive();

  /// The port's part in an edge: bytes for the link.
  bool move_to_link(WordQueue& link, Time edge);
  /// A marker, a sync and messages that wait enter. Comes after move_to_link(), and ends the edge.
  bool enter_at(Time edge);

  /// Has it a part in the next edge?
  bool active() const { return level_ > 0 || held_ > 0 || overflowing_ || sync_due_; }

  // What has left the links: the formatter's part.
  /// So many bytes of the oldest messages, of those that are kept.
  const std::uint8_t* bytes() { return encoded_.begin(); }
  /// They are in the formatter's unit of that number, and `id_unit` says whose they are. Calls done(message) for each
  /// data message or sync that ends.
  template <class Done> void formatted(std::size_t n, std::uint64_t unit, std::uint64_t id_unit, Done&& done) {
    formatted_bytes_ += n;
    if (keep_bytes_) encoded_.pop_front(n);
    while (n > 0) {
      EnteredTrace& message = inside_[0];
      if (!message.begun) begin(message, unit, id_unit);
      const auto part = static_cast<std::uint32_t>(std::min<std::size_t>(n, message.left));
      n -= part;
      message.left -= part;
      if (message.left > 0) return;
      if (message.kind == TraceKind::data) {
        counts_.inside.remove(message.payload);
        counts_.formatted.add(message.payload);
      }
      if (message.kind != TraceKind::overflow) done(message);
      last_end_ = id_unit;
      inside_.pop();
    }
  }

  /// Bytes that ever entered the FIFO, and that left the links.
  std::uint64_t entered_bytes() const { return counts_.encoded_bytes; }
  std::uint64_t formatted_bytes() const { return formatted_bytes_; }

  const TraceSourceCounts& counts() const { return counts_; }
  /// Since when it holds the node; never() if it does not.
  Time held_since() const { return held_ > 0 ? held_since_ : Time::never(); }
  std::uint64_t level() const { return level_; }
  std::size_t held() const { return held_; }
  bool overflowing() const { return overflowing_; }
  bool pending() const { return !pending_.empty(); }
  Time last_pending() const { return pending_[pending_.size() - 1].written; }
  Time went_on() const { return went_on_; }
  /// Edges before that at which, at the earliest, the last of the messages that wait can enter.
  std::int64_t edges_until_entry() const;

private:
  struct Pending {
    Time written;
    std::uint32_t size;
    std::uint32_t least; // that it takes as a message
  };
  bool enter(Time now);
  void add(TraceKind kind, std::size_t size, std::uint32_t payload, Time written, Time now);
  void add_sync(Time now);
  void begin(EnteredTrace& message, std::uint64_t unit, std::uint64_t id_unit) const;
  void drop();
  void forget_first();
  bool fits(std::size_t bytes) const { return level_ + left_at_edge_ + bytes <= depth_; }
  std::uint64_t stamp(Time t) const { return timestamps_.stamp(timestamps_.number(t)); }

  std::uint32_t number_;
  TraceProtocol protocol_;
  TimestampGenerator timestamps_;
  std::uint64_t depth_;
  std::uint64_t resume_;
  std::size_t port_bytes_;
  std::size_t word_bytes_;
  bool stalls_;
  bool whole_messages_;
  bool in_frames_;
  bool sync_counts_bytes_;
  std::uint64_t sync_every_;
  std::size_t longest_payload_;

  Ring<Pending> pending_; // those that are held first, then those whose time is to come
  std::uint64_t least_pending_ = 0;
  SlidingVector<std::uint8_t> payloads_;
  std::size_t held_ = 0;
  Time held_since_;
  Time went_on_;
  bool overflowing_ = false;
  std::uint64_t sequence_ = 0; // of the first that is pending
  std::uint64_t level_ = 0;
  std::uint64_t left_at_edge_ = 0;
  std::uint64_t last_stamp_ = 0;
  std::uint64_t since_sync_ = 0; // messages or bytes
  bool sync_due_ = true;
  Ring<EnteredTrace> inside_;
  Ring<std::uint32_t> at_port_; // TraceGrant::message: bytes of each message that has some in the FIFO
  bool keep_bytes_ = false;
  SlidingVector<std::uint8_t> encoded_;
  std::vector<std::uint8_t> scratch_;
  std::uint64_t formatted_bytes_ = 0;
  std::uint64_t last_end_ = 0; // which unit said whose the last byte of the last whole message was
  TraceSourceCounts counts_;
  std::function<void(const LostTrace&)> loss_sink_;
};

} // namespace hypermon
