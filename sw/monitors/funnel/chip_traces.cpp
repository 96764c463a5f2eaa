// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/funnel/chip_traces.hpp"
#include "base/spec.hpp"
#include "sw/monitors/funnel/chips.hpp"
#include "sw/monitors/funnel/params.hpp"
#include "sw/monitors/funnel/result_keys.hpp"
#include "sw/monitors/report.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace hypermon {

namespace {

constexpr std::array<std::pair<const char*, const char*>, trace_loss_causes> places_of_causes{
    {{"source", "fifo_full"}, {"sink", "buffer_full"}, {"sink", "overwritten"}, {"analyst", "no_sync"}}};

std::uint64_t mask_of(std::int64_t bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

} // namespace

std::vector<std::pair<std::string, std::string>> ChipTraces::places() {
  return {places_of_causes.begin(), places_of_causes.end()};
}

ChipTraces::ChipTraces(const Spec& spec)
    : sources_(static_cast<std::size_t>(spec.get<ChipParams>().sources)),
      tick_(spec.get<TraceProtocolParams>().timestamp_ns),
      mask_(mask_of(spec.get<TraceProtocolParams>().timestamp_bits)), nodes_(static_cast<std::size_t>(spec.nodes)) {
  for (std::size_t c = 0; c < chips_of(spec); ++c) {
    const std::uint32_t first = index(first_of(spec, c));
    auto& chip = chips_.emplace_back(std::make_unique<Chip>(Chip{TraceFunnel(design_of(spec, c)), first}));
    chip->funnel.on_loss([this, own = chip.get()](const LostTrace& loss) {
      if (own->lost) own->lost(loss);
      lost(NodeId{own->first_node + loss.source}, loss);
    });
  }
}

void ChipTraces::watch(std::size_t chip, TraceProbe* probe, std::function<void(const LostTrace&)> lost) {
  chips_[chip]->funnel.attach(probe);
  chips_[chip]->lost = std::move(lost);
}

void ChipTraces::write(const Emitted& event, Time written, std::span<const std::uint8_t> message) {
  TraceFunnel& funnel = chip_of(event.node).funnel;
  if (message.size() > funnel.longest_payload(source_of(event.node)))
    throw std::invalid_argument("an event of " + std::to_string(message.size()) +
                                " bytes, which its source cannot take");
  nodes_[index(event.node)].pending.append() = {event, static_cast<std::uint32_t>(message.size())};
  generated_.add(message.size());
  last_written_ = std::max(last_written_, written);
  funnel.write(source_of(event.node), written, message);
}

// Arrived messages are settled in a fixed order, so that no count depends on the granularity of the work (Cut).
void ChipTraces::advance(Time horizon) {
  for (const auto& chip : chips_) {
    chip->funnel.advance(horizon);
    settle_arrived(*chip);
  }
  std::ranges::sort(arrived_, {}, [](const Arrived& a) {
    return std::tuple(a.message.delivered, index(a.node), a.message.sequence);
  });
  settle_all();
}

void ChipTraces::finish(Time program_end) {
  program_end_ = program_end;
  // The trace is stopped when the program has ended. Messages that were being written then are still completed.
  for (const auto& chip : chips_)
    chip->funnel.stop(std::max({program_end, last_written_ + 1_ps, chip->funnel.horizon()}));
  advance(Time::never());
}

std::optional<Time> ChipTraces::resumed_at(NodeId node) const {
  return chip_of(node).funnel.resumed_at(source_of(node));
}
Time ChipTraces::earliest_resume(NodeId node) const { return chip_of(node).funnel.earliest_resume(source_of(node)); }

void ChipTraces::settle_arrived(Chip& chip) {
  for (const DeliveredTrace& message : chip.funnel.delivered())
    arrived_.push_back({NodeId{chip.first_node + message.source}, message, dated(chip, message.timestamp)});
  chip.funnel.clear_delivered();
}

// The counter wraps. Among the times that a message may have, the analyst chooses the one nearest to the previous
// message's time, whichever source sent that message.
Time ChipTraces::dated(Chip& chip, std::uint64_t counter) const {
  const std::uint64_t ahead = (counter - chip.counter) & mask_;
  const std::uint64_t behind = (chip.counter - counter) & mask_;
  chip.counter = ahead <= behind || behind > chip.counter ? chip.counter + ahead : chip.counter - behind;
  return tick_ * static_cast<std::int64_t>(chip.counter);
}

void ChipTraces::settle_all() {
  for (const Arrived& a : arrived_) {
    Pending& message = pending(a.node, a.message.sequence);
    const Emitted& event = message.event;
    delivered_.add(message.bytes);
    latency_.add(a.message.delivered - event.start);
    timestamp_error_.add(a.stamp - event.first);
    causality_.add(event.message, event.side, a.stamp);
    if (a.message.delivered > program_end_) ++late_events_;
    message.fate = Pending::Fate::delivered;
    message.stamp = a.stamp;
    message.there = a.message.delivered;
    tell_settled(a.node);
  }
  arrived_.clear();
}

void ChipTraces::lost(NodeId node, const LostTrace& loss) {
  const auto place = static_cast<std::size_t>(loss.cause);
  Pending& message = pending(node, loss.sequence);
  lost_[place].add(message.bytes);
  first_loss_ = std::min(first_loss_.value_or(Time::never()), loss.time);
  message.fate = Pending::Fate::lost;
  message.place = static_cast<std::uint8_t>(place);
  tell_settled(node);
}

ChipTraces::Pending& ChipTraces::pending(NodeId node, std::uint64_t sequence) {
  Node& from = nodes_[index(node)];
  if (sequence < from.first || sequence - from.first >= from.pending.size())
    throw std::logic_error("internal error: a message came out of the funnel that no node wrote");
  return from.pending[sequence - from.first];
}

// Reports messages in the order in which the node wrote them.
void ChipTraces::tell_settled(NodeId node) {
  Node& from = nodes_[index(node)];
  for (; from.pending.size() != 0 && from.pending[0].fate != Pending::Fate::open; ++from.first) {
    const Pending& oldest = from.pending[0];
    if (fates_ != nullptr && oldest.fate == Pending::Fate::delivered)
      fates_->delivered(oldest.event, oldest.stamp, oldest.there);
    else if (fates_ != nullptr)
      fates_->lost(oldest.event, oldest.place);
    from.pending.pop_front(1);
  }
}

ResultRecords ChipTraces::source_records() const {
  const auto& keys = funnel_keys.sources;
  ResultRecords all(keys.list);
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    const TraceSourceCounts& counts = chip_of(NodeId{node}).funnel.counts(source_of(NodeId{node}));
    all.add({keys.peak_fifo_bytes(counts.peak_fifo_bytes), keys.peak_link_words(counts.peak_link_words),
             keys.dropped(counts.dropped.messages), keys.overflows(counts.overflows), keys.syncs(counts.syncs),
             keys.stalls(counts.stalls), keys.stalled_s(counts.stalled)});
  }
  return all;
}

ResultValues ChipTraces::stream_values(const TraceFunnelCounts& all) const {
  std::uint64_t lost = 0;
  for (const std::uint64_t bytes : all.lost_stream_bytes) lost += bytes;
  const auto& keys = funnel_keys.stream;
  return {keys.encoded_bytes(all.encoded_bytes),
          keys.id_bytes(all.id_bytes),
          keys.frame_bits_bytes(all.frame_bits_bytes),
          keys.padding_bytes(all.padding_bytes),
          keys.full_sync_bytes(all.full_sync_bytes),
          keys.bytes(all.stream_bytes),
          keys.lost_bytes(lost),
          keys.delivered_bytes(all.delivered_bytes)};
}

void ChipTraces::report(Results& results) const {
  TraceFunnelCounts all;
  Time held;
  for (const auto& chip : chips_) {
    const TraceFunnelCounts counts = chip->funnel.counts();
    all.encoded_bytes += counts.encoded_bytes;
    all.id_bytes += counts.id_bytes;
    all.frame_bits_bytes += counts.frame_bits_bytes;
    all.padding_bytes += counts.padding_bytes;
    all.full_sync_bytes += counts.full_sync_bytes;
    all.stream_bytes += counts.stream_bytes;
    all.delivered_bytes += counts.delivered_bytes;
    for (std::size_t i = 0; i < trace_loss_causes; ++i) all.lost_stream_bytes[i] += counts.lost_stream_bytes[i];
    all.bursts += counts.bursts;
    all.flushes += counts.flushes;
    all.peak_funnel_words = std::max(all.peak_funnel_words, counts.peak_funnel_words);
    all.peak_sink_bytes = std::max(all.peak_sink_bytes, counts.peak_sink_bytes);
    all.end = std::max(all.end, counts.end);
    held += counts.stalled;
  }
  results.set(reported_keys.logged_bytes, all.delivered_bytes);

  Ledger ledger("bytes");
  ledger.generated = {generated_.bytes, generated_.messages};
  ledger.delivered = {delivered_.bytes, delivered_.messages};
  for (const Node& node : nodes_) ledger.in_flight.events += node.pending.size(); // none: the run continued until then
  for (std::size_t i = 0; i < trace_loss_causes; ++i)
    ledger.lost.push_back({places_of_causes[i].first, places_of_causes[i].second, {lost_[i].bytes, lost_[i].messages}});
  results.set(ledger_values(ledger));

  results.set(source_records());
  results.set(stream_values(all));
  results.set({funnel_keys.funnels.peak_words(all.peak_funnel_words), funnel_keys.funnels.flushes(all.flushes),
               funnel_keys.sink.peak_bytes(all.peak_sink_bytes), funnel_keys.sink.bursts(all.bursts),
               funnel_keys.late_events(late_events_), funnel_keys.overrun(first_loss_.has_value()),
               funnel_keys.first_overrun_s(first_loss_), funnel_keys.held_s(held), funnel_keys.end_s(all.end)});

  results.set(values_of(reported_keys.latency_us, latency_));
  results.set(values_of(reported_keys.timestamp_error_us, timestamp_error_));
  results.set(reported_keys.causality_violations, causality_.violations());
}

} // namespace hypermon
