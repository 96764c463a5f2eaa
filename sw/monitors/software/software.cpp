// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/software/software.hpp"
#include "sw/monitors/footprint.hpp"
#include "sw/monitors/report.hpp"
#include "sw/monitors/software/result_keys.hpp"

namespace hypermon {

SoftwareMonitor::SoftwareMonitor(const SoftwareParams& params, std::vector<NodeClock> clocks, Catalogue catalogue)
    : catalogue_(std::move(catalogue)), per_byte_(Microseconds{params.us_per_byte}),
      capacity_(params.buffer_bytes.number), clocks_(std::move(clocks)), buffers_(clocks_.size()) {}

void SoftwareMonitor::start(Site& site) {
  for (std::uint32_t n = 0; n < buffers_.size(); ++n) site.footprint().keep(Place::node(NodeId{n}), capacity_);
}

std::optional<Time> SoftwareMonitor::emit(const Emission& e) {
  const NodeClock& clock = clocks_[index(e.node)];
  const std::int64_t bytes = catalogue_.software_bytes(e.event.type);
  Buffer& buffer = buffers_[index(e.node)];
  if (buffer.bytes + bytes > capacity_) {
    // The record is made before the lack of room is noticed, so that it costs the same.
    ++lost_events_;
    lost_bytes_ += static_cast<std::uint64_t>(bytes);
    if (!first_loss_) first_loss_ = e.start;
    if (log_) log_->lost(e.node, e.event.type, e.start);
  } else {
    buffer.bytes += bytes;
    ++buffer.events;
    const Time stamp = clock.read(e.start);
    timestamp_error_.add(stamp - e.start);
    causality_.add(e.message, e.side, stamp);
    if (log_) log_->delivered(e.node, e.event.type, e.start, stamp, Time::never());
  }
  return clock.stretch(per_byte_ * bytes);
}

void SoftwareMonitor::report(Results& results, Time, Time) const {
  std::uint64_t bytes = 0;
  std::uint64_t events = 0;
  std::vector<std::int64_t> buffers;
  for (const Buffer& b : buffers_) {
    bytes += static_cast<std::uint64_t>(b.bytes);
    events += b.events;
    buffers.push_back(b.bytes);
  }
  results.set(reported_keys.logged_bytes, bytes);
  Ledger ledger("bytes");
  ledger.generated = {bytes + lost_bytes_, events + lost_events_};
  ledger.delivered = {bytes, events};
  ledger.lost.push_back({"node_memory", "buffer_full", {lost_bytes_, lost_events_}});
  results.set(ledger_values(ledger));
  results.set({software_keys.buffer_bytes(buffers), software_keys.overrun(lost_events_ > 0),
               software_keys.first_overrun_s(first_loss_)});
  results.set(reported_keys.latency_us.group.null()); // the trace stays in the node until the end
  results.set(values_of(reported_keys.timestamp_error_us, timestamp_error_));
  results.set(reported_keys.causality_violations, causality_.violations());
}

} // namespace hypermon
