// SPDX-License-Identifier: BSD-3-Clause
// The sink: a buffer of the formatter's units, the bursts that leave it, and the fate of the messages in it.
#pragma once
#include "base/queues.hpp"
#include "hw/funnel/core/design.hpp"
#include "hw/funnel/core/formatter.hpp"
#include "hw/funnel/core/protocol.hpp"
#include "hw/funnel/core/trace_counts.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace hypermon {

/// A message or a sync whose bytes are all formatted.
struct FormattedTrace {
  TraceKind kind;
  DeliveredTrace message;
  std::uint32_t payload;
  std::uint64_t known_unit; ///< an analyst who starts at this unit finds the message's beginning
  std::uint64_t first_unit; ///< first unit with bytes of the message
  std::uint64_t last_unit;
};

class TraceSink {
public:
  TraceSink(const TraceSinkParams& params, Time clock, std::size_t sources);

  using Stream = std::function<void(std::span<const std::uint8_t>, bool, Time)>;
  void on_stream(Stream sink) { stream_ = std::move(sink); }
  void on_loss(std::function<void(const LostTrace&)> sink) { loss_sink_ = std::move(sink); }

  // The steps of an edge, in this order:
  /// Effects of stopping the trace: bursts need not be full; the buffer is read at last (SinkReads::at_end).
  struct Ending {
    bool stopped = false;
    bool read_out = false;
  };
  /// Ends bursts, delivers them and begins new ones.
  bool at_edge(Time edge, const Ending& ending);
  /// True if it accepts `bytes` bytes, given its level before the edge.
  bool accepts(std::size_t bytes) const {
    return policy_ != WhenFull::stall || level_ + left_at_edge_ + bytes <= depth_;
  }
  /// Adds a message whose last byte is in the next unit that arrives.
  void add(const FormattedTrace& message);
  void arrive(const TraceUnit& unit, Time edge);
  void end_edge() { left_at_edge_ = 0; }

  /// The number of the next unit that arrives.
  std::uint64_t next_unit() const { return next_unit_; }
  /// Data in the buffer need not wait for a full burst.
  void flush() { flushed_ = next_unit_; }
  /// Whether data wait for a flush.
  bool waits_for_flush() const { return !at_end_ && !units_.empty() && units_[units_.size() - 1].number >= flushed_; }

  /// Time of its next action of its own after an edge.
  Time next_event(Time edge, const Ending& ending) const;

  std::span<const DeliveredTrace> delivered() const { return delivered_; }
  void clear_delivered() { delivered_.clear(); }
  /// Sets its members of `counts`.
  void count(TraceFunnelCounts& counts) const;
  std::uint64_t level() const { return level_; }
  bool reading() const { return burst_ > 0; }
  bool blackout(Time t) const { return blackout_end(t) > t; }

private:
  struct Unit {
    std::uint64_t number;
    TraceUnit unit;
  };
  struct Flight { // a burst on its way to the analyst
    Time arrives;
    std::uint64_t units; // all units before this one have left
    std::size_t bytes;
  };
  struct Piece { // a run of bytes on their way to the analyst
    std::size_t bytes;
    bool gap; // bytes are missing before it
  };
  struct Gap {
    std::uint64_t begin, end; // range of lost units
  };

  void end_burst(Time edge);
  void land(const Flight& flight);
  std::uint64_t next_burst(const Ending& ending) const;
  Time blackout_end(Time t) const;
  std::size_t kept() const;
  void lose_unit(std::uint64_t number, std::size_t bytes, TraceLossCause cause, Time edge);
  void lose(const FormattedTrace& message, TraceLossCause cause, Time time);
  void judge(FormattedTrace& message, Time arrival);
  Time on_edge(Time t) const { return clock_ * ((t + clock_ - Time::from_ps(1)) / clock_); }

  Time clock_;
  std::uint64_t depth_;
  WhenFull policy_;
  bool at_end_;
  std::uint64_t burst_bytes_;
  Time burst_time_;
  Time latency_;
  std::size_t most_in_flight_;
  Time blackout_at_, blackout_for_, blackout_every_;
  std::vector<Blackout> listed_;

  Ring<Unit> units_;
  std::uint64_t next_unit_ = 0;
  std::uint64_t level_ = 0; // bytes of units_ that have not left
  std::uint64_t left_at_edge_ = 0;
  std::size_t offset_ = 0;  // bytes of the oldest unit that have left
  std::uint64_t burst_ = 0; // bytes of the burst that is leaving
  std::size_t burst_units_ = 0;
  Time burst_end_;
  std::uint64_t left_ = 0; // units before this one have left or are lost
  std::uint64_t flushed_ = 0;
  Ring<Flight> flights_;
  SlidingVector<std::uint8_t> flying_;
  Ring<Piece> pieces_;

  Ring<FormattedTrace> messages_; // messages in the order of their last units
  TraceVolume in_sink_;
  Ring<Gap> gaps_;                                   // gaps that the analyst has not reached
  std::uint64_t gap_end_ = 0;                        // end of the last gap that the analyst has passed
  std::vector<std::optional<std::uint64_t>> synced_; // by source: unit from which its last sync is known
  std::vector<DeliveredTrace> delivered_;
  Stream stream_;
  std::function<void(const LostTrace&)> loss_sink_;
  TraceFunnelCounts counts_;
};

} // namespace hypermon
