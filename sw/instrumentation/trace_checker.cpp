#include "sw/instrumentation/trace_checker.hpp"
#include <algorithm>

namespace hypermon {

TraceChecker::TraceChecker(std::uint32_t nodes, Time window, Time propagation)
    : window_(window), propagation_(propagation), pending_(nodes), losses_{{"decoder", "resync", 0, 0}} {}

CauseId TraceChecker::add_cause(std::string_view stage, std::string_view cause) {
  losses_.push_back({std::string(stage), std::string(cause), 0, 0});
  return static_cast<CauseId>(losses_.size() - 1);
}

void TraceChecker::emitted(const EmittedEvent& event) {
  ++generated_events_;
  generated_nibbles_ += hardware_nibbles_by_first(type_code(event.event.type));
  Pending& pending = pending_[index(event.node)].append();
  pending.emitted = event;
  pending.window = static_cast<std::uint64_t>((event.first_strobe + propagation_) / window_);
  pending.cause = CauseId{};
  pending.first_lost = no_nibble;
}

void TraceChecker::lost(NodeId node, std::uint64_t sequence, CauseId cause) {
  ++losses_[static_cast<std::size_t>(cause)].nibbles;
  Queue& queue = pending_[index(node)];
  Pending* after = std::upper_bound(queue.begin(), queue.end(), sequence,
                                    [](std::uint64_t s, const Pending& p) { return s < p.emitted.first_sequence; });
  if (after == queue.begin()) return; // its event was settled: damaged earlier
  Pending& event = *--after;
  const std::uint64_t place = sequence - event.emitted.first_sequence;
  // Stages report in their own order: keep the cause of the foremost nibble.
  if (place < info(event.emitted.event.type).hardware_nibbles() && place < event.first_lost) {
    event.first_lost = static_cast<std::uint8_t>(place);
    event.cause = cause;
  }
}

void TraceChecker::give_up_front(Queue& queue) {
  ++losses_[static_cast<std::size_t>(queue[0].cause)].events;
  queue.pop_front(1);
}

void TraceChecker::delivered(const EmittedEvent& event, Time stamp) {
  ++delivered_events_;
  latency_.add(read_end_ - event.start);
  timestamp_error_.add(stamp - event.first_strobe);
  causality_.add(event.message, event.side, stamp);
}

void TraceChecker::event(const DecodedEvent& decoded) {
  delivered_nibbles_ += hardware_nibbles_by_first(type_code(decoded.event.type));
  Queue& queue = pending_[index(decoded.node)];
  // The decoder gives a node's events in order, so it is past all earlier ones.
  while (queue.size() != 0 && queue[0].window < decoded.first_window) give_up_front(queue);
  if (queue.size() != 0) {
    const Pending& front = queue[0];
    if (front.window == decoded.first_window && front.first_lost == no_nibble && front.emitted.event == decoded.event &&
        front.emitted.delta_us == decoded.delta_us) {
      delivered(front.emitted, window_ * static_cast<std::int64_t>(decoded.first_window));
      queue.pop_front(1);
      return;
    }
  }
  ++spurious_;
}

// The decoder is past all events before the one that the span ends in; of that one later nibbles may be on their way.
void TraceChecker::damaged(const DamagedSpan& span) {
  delivered_nibbles_ += span.nibbles;
  Queue& queue = pending_[index(span.node)];
  while (queue.size() > 1 && queue[1].window <= span.last_window) give_up_front(queue);
}

void TraceChecker::finish() {
  for (Queue& queue : pending_)
    while (queue.size() != 0) give_up_front(queue);
}

std::uint64_t TraceChecker::in_flight_events() const {
  std::uint64_t n = 0;
  for (const Queue& queue : pending_) n += queue.size();
  return n;
}

std::uint64_t TraceChecker::lost_events() const {
  std::uint64_t n = 0;
  for (const TraceLoss& loss : losses_) n += loss.events;
  return n;
}

std::uint64_t TraceChecker::lost_nibbles() const {
  std::uint64_t n = 0;
  for (const TraceLoss& loss : losses_) n += loss.nibbles;
  return n;
}

} // namespace hypermon
