// SPDX-License-Identifier: BSD-3-Clause
// Determines the fate of every event of a trace. It knows all events that the nodes emitted.
//
// Every event has exactly one of these fates:
// - delivered: the decoder returned an event with the same first window, type, arguments and delta;
// - lost at the (stage, cause) that lost its first missing nibble;
// - lost at (decoder, resync): all its nibbles arrived, but the decoder could not synchronize to it.
// A decoded event that no node emitted is spurious. Nibbles count as lost where the hardware lost them. The other
// nibbles of a damaged event count as delivered nibbles.
//
// Order of calls for each node: emitted() in order and before any loss of the event's nibbles; lost() before a later
// nibble of the same node is decoded. Both hold if the board's losses are reported before its frames are decoded.
// Memory does not grow with the trace or with the events in flight (those that the board or the decoder still holds),
// because most of a long queue is in a file. An event whose data are all lost is not in flight, although no decoder
// reports it. A node whose strobes are all lost, and a board that is never read, produce such events without end.
#pragma once
#include "base/deep_queue.hpp"
#include "base/histogram.hpp"
#include "sw/instrumentation/causality.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
#include "sw/monitors/fates.hpp"
#include "sw/monitors/hypermon/node_decoder.hpp"
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hypermon {

/// A place where nibbles can get lost: index into TraceChecker::losses().
enum class CauseId : std::uint8_t {};

struct EmittedEvent {
  NodeId node{};
  Event event;
  std::uint16_t delta_us = 0;
  std::uint64_t first_sequence = 0; ///< number of its first datum among this node's strobes, from 0
  Time start{};                     ///< true time at which the emission starts
  Time first_strobe{};              ///< true time of its first strobe at the node
  std::uint64_t message = 0;
  MessageSide side = MessageSide::none;
};

struct TraceLoss {
  std::string stage;
  std::string cause;
  std::uint64_t events = 0;
  std::uint64_t nibbles = 0;
};

/// Places of the losses, in the form of Rerun::places().
std::vector<std::pair<std::string, std::string>> places_of(const std::vector<TraceLoss>& losses);

/// Window in which an event's first word is captured, if nothing delays or loses it. Windows are counted from `origin`,
/// which also converts them to times.
struct Captured {
  std::uint64_t window = 0;
  Time origin{};
};

class TraceChecker final : public DecoderSink {
public:
  /// A datum (strobe) carries `nibbles_per_datum` nibbles. `held`: the port may hold writes, so that an event may be
  /// captured later than Captured says. `catalogue` must outlive this object.
  TraceChecker(std::uint32_t nodes, Time window, std::uint32_t nibbles_per_datum = 1, bool held = false,
               const Catalogue& catalogue = Catalogue::nx2());

  /// Keeps `events` at either end of each node's queue in memory. Call it before the first event is emitted.
  void keep_in_memory(std::size_t events) {
    for (Queue& queue : pending_) queue.keep_in_memory(events);
  }
  /// The node's board has its own window length.
  void set_window(NodeId node, Time window) { windows_[index(node)] = window; }
  /// Also reports the fate of every event to `fates`, which must outlive this object. An event is spurious if it was
  /// decoded for an existing node but never emitted, or if it replaces one that was falsified.
  void set_fates(FateSink* fates) { fates_ = fates; }
  /// Names a place where nibbles can get lost. At most 255.
  CauseId add_cause(std::string_view stage, std::string_view cause);

  void emitted(const EmittedEvent& event, const Captured& captured) {
    emitted(event.node, catalogue_->nibbles(event.event.type), captured) = event;
  }
  /// Like the other overload, for a caller that fills in the event in place and so avoids a copy.
  EmittedEvent& emitted(NodeId node, std::uint32_t nibbles, const Captured& captured) {
    ++generated_events_;
    generated_nibbles_ += nibbles;
    Queue& queue = pending_[index(node)];
    if (queue.full()) [[unlikely]]
      give_up_lost_among_newest(queue);
    Pending& pending = queue.append();
    pending.captured = captured;
    pending.cause = CauseId{};
    pending.first_damaged = no_datum;
    pending.lost = 0;
    pending.falsified = false;
    return pending.emitted;
  }
  /// The node's datum with that number was lost, or arrives with a wrong value.
  void lost(NodeId node, std::uint64_t sequence, CauseId cause);
  void falsified(NodeId node, std::uint64_t sequence, CauseId cause);
  /// The board was reset: emitted data that have not arrived are lost, and windows are counted from `origin`.
  void restart(NodeId node, Time origin);
  void event(const DecodedEvent& decoded) override;
  void damaged(const DamagedSpan& span) override;
  /// No more calls follow: settles all open events.
  void finish();

  std::uint64_t generated_events() const { return generated_events_; }
  std::uint64_t generated_nibbles() const { return generated_nibbles_; }
  std::uint64_t delivered_events() const { return delivered_events_; }
  /// Nibbles that the decoder got: it accounts for each one in an event or in a damaged span. Complete after the
  /// decoder's finish().
  std::uint64_t delivered_nibbles() const { return delivered_nibbles_; }
  /// Events without a fate yet: 0 after finish().
  std::uint64_t in_flight_events() const;
  /// For each cause: first (decoder, resync), then in the order of add_cause().
  const std::vector<TraceLoss>& losses() const { return losses_; }
  std::uint64_t lost_events() const;
  std::uint64_t lost_nibbles() const;
  /// Events decoded but never emitted, and events decoded in place of a falsified one.
  std::uint64_t spurious() const { return spurious_; }
  std::uint64_t falsified() const { return falsified_; }
  /// The ledger: generated = delivered + in flight + lost.
  bool balanced() const { return generated_events_ == delivered_events_ + in_flight_events() + lost_events(); }

  /// For delivered events: time from the start of the emission to the arrival in the I/O node's memory.
  const TimeHistogram& latency() const { return latency_; }
  const TimestampError& timestamp_error() const { return timestamp_error_; }
  const CausalityChecker& causality() const { return causality_; }

private:
  static constexpr std::uint8_t no_datum = 0xFF;
  struct Pending {
    EmittedEvent emitted;
    Captured captured;
    CauseId cause{};                       ///< cause of the first damaged datum; 0 (resync) if none is damaged
    std::uint8_t first_damaged = no_datum; ///< its index in the event
    std::uint8_t lost = 0;                 ///< number of its lost data
    bool falsified = false;
    template <class Coder> void code(Coder& c, Pending& before) {
      EmittedEvent& e = emitted;
      EmittedEvent& b = before.emitted;
      c(e.node, b.node);
      c(e.event.type, b.event.type);
      for (std::size_t i = 0; i < e.event.args.size(); ++i) c(e.event.args[i], b.event.args[i]);
      c(e.delta_us, b.delta_us);
      c(e.first_sequence, b.first_sequence);
      c(e.start, b.start);
      c(e.first_strobe, b.first_strobe);
      c(e.message, b.message);
      c(e.side, b.side);
      c(captured.window, before.captured.window);
      c(captured.origin, before.captured.origin);
      c.fixed(cause);
      c.fixed(first_damaged);
      c.fixed(lost);
      c.fixed(falsified);
    }
  };
  using Queue = DeepQueue<Pending>;
  static constexpr std::size_t fewest_in_memory = 1 << 12; // events at either end of a node's queue
  static constexpr std::size_t most_in_memory = 1 << 16;   // events of all nodes, unless fewest_in_memory allows more

  /// False if the event began after the data that have been read were strobed. Those data cannot belong to it, whatever
  /// window they have (power-on garbage has any, and shifts the windows of all later data). The event may or may not be
  /// known here already, and its data may or may not have been lost, depending on the granularity of the work (Cut).
  bool had_begun(const Pending& p) const { return p.emitted.first_strobe < strobed_before(); }
  void give_up(const Pending& event);
  void give_up_front(Queue& queue);
  void give_up_lost(Queue& queue);
  void give_up_lost_among_newest(Queue& queue);
  bool is_lost(const Pending& event) const { return event.lost == data_of(event); }
  std::uint64_t data_of(const Pending& event) const {
    return catalogue_->nibbles(event.emitted.event.type) / nibbles_per_datum_;
  }
  Pending* damage(NodeId node, std::uint64_t sequence, CauseId cause);
  Time stamp_of(const DecodedEvent& decoded, Time origin) const {
    return origin + windows_[index(decoded.node)] * static_cast<std::int64_t>(decoded.first_window);
  }
  void tell_spurious(const DecodedEvent& decoded) const;

  std::vector<Time> windows_; ///< by node
  std::uint32_t nibbles_per_datum_;
  bool held_;
  const Catalogue* catalogue_;
  FateSink* fates_ = nullptr;  ///< null: no observer
  std::vector<Queue> pending_; ///< by node, oldest first
  std::vector<Time> origins_;  ///< by node
  std::vector<TraceLoss> losses_;
  std::uint64_t generated_events_ = 0;
  std::uint64_t generated_nibbles_ = 0;
  std::uint64_t delivered_events_ = 0;
  std::uint64_t delivered_nibbles_ = 0;
  std::uint64_t spurious_ = 0;
  std::uint64_t falsified_ = 0;
  TimeHistogram latency_;
  TimestampError timestamp_error_;
  CausalityChecker causality_;
};

} // namespace hypermon
