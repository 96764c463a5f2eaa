// SPDX-License-Identifier: BSD-3-Clause
#include "base/listing.hpp"
#include "sw/monitors/report.hpp"

namespace hypermon {
namespace {

/// "bytes for a, events for b".
std::string units() {
  std::string text;
  for (const Part& part : parts())
    if (part.kind == Part::Kind::monitor) add_to_list(text, part.monitor.ledger_unit + " for " + part.name);
  return text;
}

/// Of places whose names do not say all; once, where monitors share them.
std::string remarks() {
  std::string text;
  for (const Part& part : parts())
    for (const MonitorTraits::Place& place : part.monitor.losses) {
      const std::string remark = " (" + place.stage + ", " + place.cause + "): " + place.remark + ".";
      if (!place.remark.empty() && text.find(remark) == std::string::npos) text += remark;
    }
  return text;
}

} // namespace

ResultKeys reported_keys() {
  return {
      {"logged_bytes", "B", "Table 2's logged data: trace records in node memory, or frames read over the PBX."},
      {"ledger.unit", "", "The monitor\'s own unit: " + units() + ".", result::text},
      {"ledger.generated", "unit, events", "What was emitted."},
      {"ledger.delivered", "unit, events", "What arrived; events: decoded, and equal to what was emitted."},
      {"ledger.in_flight", "unit, events", "What was still under way when the run ended."},
      {"ledger.lost_total", "unit, events", "Sum of all losses."},
      {"ledger.lost[]", "unit, events", "Losses by stage and cause." + remarks(), result::loss},
      {"latency_us.p50", "us",
       "Median time from the start of an event's emission until the monitor has delivered the event. latency_us is "
       "null if no event travelled."},
      {"latency_us.p99", "us", "99th percentile of the time from emission to delivery."},
      {"latency_us.max", "us", "Longest time from emission to delivery."},
      {"latency_us.distribution.upper_us[]", "us",
       "The distribution in at most 100 bins, the finest that are so few (1024, 512, ... 1 to a doubling), empty ones "
       "left out: no event of the bin took longer. The last is the maximum."},
      {"latency_us.distribution.events[]", "events", "Events in each bin, exact."},
      {"timestamp_error_us.min", "us", "Least of: the monitor's timestamp less true time of the event."},
      {"timestamp_error_us.mean", "us", "Its mean."},
      {"timestamp_error_us.max", "us", "Its maximum."},
      {"causality_violations", "messages", "Messages received before they were sent, by the monitor's timestamps."},
  };
}

} // namespace hypermon
