// SPDX-License-Identifier: BSD-3-Clause
// A source of messages: its FIFO, the treatment of overflows, its synchronisation, and its port to the link.
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
  std::uint32_t left;    ///< number of encoded bytes that are not formatted yet
  std::uint32_t payload; ///< 0 for messages other than data
  std::uint64_t sequence;
  std::uint64_t timestamp;
  Time written, entered;
  std::uint64_t first_unit; ///< first unit of the formatter with a byte of the message; valid once `begun`
  std::uint64_t known_unit; ///< an analyst who starts at this unit finds the message's beginning
  bool begun;
};

class TraceSource {
public:
  TraceSource(const TraceFunnelDesign& design, std::uint32_t number);

  void keep_bytes() { keep_bytes_ = true; }
  void on_loss(std::function<void(const LostTrace&)> sink) { loss_sink_ = std::move(sink); }

  std::size_t longest_payload() const { return longest_payload_; }
  /// Adds a message that will be written at a future time, in the order of time.
  void write(Time at, std::span<const std::uint8_t> payload);
  /// Size of the first pending message.
  std::size_t next_size() const { return pending_[held_].size; }
  /// The first pending message is written now.
  void arrive();

  /// The port's step of an edge: moves bytes to the link.
  bool move_to_link(WordQueue& link, Time edge);
  /// Lets an overflow marker, a sync and waiting messages enter. Called after move_to_link(); ends the edge.
  bool enter_at(Time edge);

  /// True if it has work at the next edge.
  bool active() const { return level_ > 0 || held_ > 0 || overflowing_ || sync_due_; }

  // Data that have left the links, for the formatter.
  /// Bytes of the oldest messages, if bytes are kept.
  const std::uint8_t* bytes() { return encoded_.begin(); }
  /// The next `n` bytes are in the formatter's unit number `unit`, and their source's ID is in `id_unit`. Calls
  /// done(message) for each data message or sync that ends.
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

  /// Number of bytes that have entered the FIFO, and that have left the links.
  std::uint64_t entered_bytes() const { return counts_.encoded_bytes; }
  std::uint64_t formatted_bytes() const { return formatted_bytes_; }

  const TraceSourceCounts& counts() const { return counts_; }
  /// Time since which it holds the node; never() if it does not.
  Time held_since() const { return held_ > 0 ? held_since_ : Time::never(); }
  std::uint64_t level() const { return level_; }
  std::size_t held() const { return held_; }
  bool overflowing() const { return overflowing_; }
  bool pending() const { return !pending_.empty(); }
  Time last_pending() const { return pending_[pending_.size() - 1].written; }
  Time resumed_at() const { return resumed_at_; }
  /// Lower bound of the number of edges before the last waiting message can enter.
  std::int64_t edges_until_entry() const;

private:
  struct Pending {
    Time written;
    std::uint32_t size;
    std::uint32_t least; // least number of bytes that the message takes
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

  Ring<Pending> pending_; // held messages first, then those of future times
  std::uint64_t least_pending_ = 0;
  SlidingVector<std::uint8_t> payloads_;
  std::size_t held_ = 0;
  Time held_since_;
  Time resumed_at_;
  bool overflowing_ = false;
  std::uint64_t sequence_ = 0; // number of the first pending message
  std::uint64_t level_ = 0;
  std::uint64_t left_at_edge_ = 0;
  std::uint64_t last_stamp_ = 0;
  std::uint64_t since_sync_ = 0; // messages or bytes
  bool sync_due_ = true;
  Ring<EnteredTrace> inside_;
  Ring<std::uint32_t> at_port_; // TraceGrant::message: bytes of each message that has bytes in the FIFO
  bool keep_bytes_ = false;
  SlidingVector<std::uint8_t> encoded_;
  std::vector<std::uint8_t> scratch_;
  std::uint64_t formatted_bytes_ = 0;
  std::uint64_t last_end_ = 0; // unit with the ID of the last byte of the last complete message
  TraceSourceCounts counts_;
  std::function<void(const LostTrace&)> loss_sink_;
};

} // namespace hypermon
