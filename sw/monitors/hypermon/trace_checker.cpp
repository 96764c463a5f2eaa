// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/hypermon/trace_checker.hpp"
#include "sw/monitors/hypermon/loss_places.hpp"

#include <algorithm>

namespace hypermon {

namespace {
Emitted emitted_of(const EmittedEvent& e) { return {e.node, e.event, e.start, e.first_strobe, e.message, e.side}; }
} // namespace

std::vector<std::pair<std::string, std::string>> places_of(const std::vector<TraceLoss>& losses) {
  std::vector<std::pair<std::string, std::string>> places;
  for (const TraceLoss& loss : losses) places.emplace_back(loss.stage, loss.cause);
  return places;
}

TraceChecker::TraceChecker(std::uint32_t nodes, Time window, std::uint32_t nibbles_per_datum, bool held,
                           const Catalogue& catalogue)
    : windows_(nodes, window), nibbles_per_datum_(nibbles_per_datum), held_(held), catalogue_(&catalogue),
      origins_(nodes), losses_{{std::string(resync_place.stage), std::string(resync_place.cause), 0, 0}} {
  const auto file = std::make_shared<SpillFile>();
  for (std::uint32_t n = 0; n < nodes; ++n)
    pending_.emplace_back(std::max<std::size_t>(fewest_in_memory, most_in_memory / nodes), file);
}

CauseId TraceChecker::add_cause(std::string_view stage, std::string_view cause) {
  losses_.push_back({std::string(stage), std::string(cause), 0, 0});
  return static_cast<CauseId>(losses_.size() - 1);
}

void TraceChecker::lost(NodeId node, std::uint64_t sequence, CauseId cause) {
  losses_[static_cast<std::size_t>(cause)].nibbles += nibbles_per_datum_;
  Pending* event = damage(node, sequence, cause);
  if (event == nullptr) return;
  ++event->lost;
  if (is_lost(*event)) give_up_lost(pending_[index(node)]);
}

void TraceChecker::falsified(NodeId node, std::uint64_t sequence, CauseId cause) {
  if (Pending* event = damage(node, sequence, cause)) event->falsified = true;
}

// The event that contains the datum; null if it was settled as damaged earlier.
TraceChecker::Pending* TraceChecker::damage(NodeId node, std::uint64_t sequence, CauseId cause) {
  Pending* const last =
      pending_[index(node)].last_of([sequence](const Pending& p) { return p.emitted.first_sequence <= sequence; });
  if (last == nullptr) return nullptr;
  Pending& event = *last;
  const std::uint64_t place = sequence - event.emitted.first_sequence;
  // Each stage reports in its own order, so the cause of the foremost datum is kept.
  const std::uint64_t data = data_of(event);
  if (place < data && place < event.first_damaged) {
    event.first_damaged = static_cast<std::uint8_t>(place);
    event.cause = cause;
  }
  return place < data ? &event : nullptr;
}

void TraceChecker::restart(NodeId node, Time origin) {
  origins_[index(node)] = origin;
  Queue& queue = pending_[index(node)];
  while (!queue.empty() && queue.front().captured.origin != origin) give_up_front(queue);
}

void TraceChecker::give_up(const Pending& event) {
  ++losses_[static_cast<std::size_t>(event.cause)].events;
  if (fates_ != nullptr) fates_->lost(emitted_of(event.emitted), static_cast<std::size_t>(event.cause));
}

void TraceChecker::give_up_front(Queue& queue) {
  give_up(queue.front());
  queue.pop();
}

// Gives up events whose data were all reported as lost: no later decoded event can be one of these.
void TraceChecker::give_up_lost(Queue& queue) {
  while (!queue.empty() && is_lost(queue.front())) give_up_front(queue);
}

// Gives up such events also behind an event with data that arrived or may still arrive. If an observer needs the fates
// of a node's events in order, it does not. The space freed is proportional to the work.
void TraceChecker::give_up_lost_among_newest(Queue& queue) {
  if (fates_ == nullptr)
    queue.remove_newest([this](const Pending& p) { return is_lost(p); }, [this](const Pending& p) { give_up(p); });
}

void TraceChecker::event(const DecodedEvent& decoded) {
  delivered_nibbles_ += catalogue_->nibbles(decoded.event.type);
  if (index(decoded.node) >= pending_.size()) [[unlikely]] { // in frames that no node has written
    ++spurious_;
    return;
  }
  Queue& queue = pending_[index(decoded.node)];
  const auto is_decoded = [&](const Pending& p) {
    return p.first_damaged == no_datum && p.emitted.event == decoded.event && p.emitted.delta_us == decoded.delta_us;
  };
  // The decoder returns a node's events in order, so it has passed all earlier ones.
  while (!queue.empty() && queue.front().captured.window < decoded.first_window && had_begun(queue.front()) &&
         !(held_ && is_decoded(queue.front())))
    give_up_front(queue);
  if (!queue.empty() && queue.front().lost != 0) give_up_lost(queue);
  if (queue.empty() || !had_begun(queue.front()) || queue.front().captured.window > decoded.first_window) {
    ++spurious_;
    tell_spurious(decoded);
  } else if (is_decoded(queue.front())) {
    const Time stamp = stamp_of(decoded, queue.front().captured.origin);
    const EmittedEvent& event = queue.front().emitted;
    ++delivered_events_;
    latency_.add(read_end() - event.start);
    timestamp_error_.add(stamp - event.first_strobe);
    causality_.add(event.message, event.side, stamp);
    if (fates_ != nullptr) [[unlikely]]
      fates_->delivered(emitted_of(event), stamp, read_end());
    queue.pop();
  } else {
    ++(queue.front().falsified ? falsified_ : spurious_);
    tell_spurious(decoded);
  }
}

void TraceChecker::tell_spurious(const DecodedEvent& decoded) const {
  if (fates_ != nullptr)
    fates_->spurious(decoded.node, decoded.event.type, stamp_of(decoded, origins_[index(decoded.node)]), read_end());
}

// The decoder has passed all events before the one in which the span ends. Later words of that event may be under way.
void TraceChecker::damaged(const DamagedSpan& span) {
  delivered_nibbles_ += span.nibbles;
  if (index(span.node) >= pending_.size()) return;
  Queue& queue = pending_[index(span.node)];
  while (queue.size() > 1 && queue[1].captured.origin == origins_[index(span.node)] &&
         queue[1].captured.window <= span.last_window && had_begun(queue[1]))
    give_up_front(queue);
}

void TraceChecker::finish() {
  for (Queue& queue : pending_)
    while (!queue.empty()) give_up_front(queue);
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
