// SPDX-License-Identifier: BSD-3-Clause
// What the result says of processes' traces.
#include "sw/monitors/report.hpp"
#include "sw/monitors/software/process_trace.hpp"
#include "sw/os/ranks.hpp"

#include <algorithm>

namespace hypermon::software {

void ProcessTrace::report(Json& result, Time, Time) const {
  Ledger ledger("bytes");
  const auto add = [](Ledger::Amount& sum, const Amount& own) {
    sum.units += own.bytes;
    sum.events += own.records;
  };
  Ledger::Amount lost;
  Time recording;
  Time flushing;
  Time longest_flush;
  Time closing;
  std::uint64_t flushes = 0;
  std::uint64_t writes = 0;
  std::optional<Time> first_loss;
  Json fullest = Json::array();
  for (const int rank : traced_) {
    const Process& process = *processes_[static_cast<std::size_t>(rank)];
    add(ledger.generated, process.buffer.generated());
    add(ledger.delivered, process.buffer.delivered());
    add(lost, process.buffer.lost());
    fullest.push_back(process.buffer.most());
    recording += process.recording;
    flushes += process.flushes;
    flushing += process.flushing;
    longest_flush = std::max(longest_flush, process.longest_flush);
    closing = std::max(closing, process.closing);
    writes += process.writes;
    if (const auto& loss = process.buffer.first_loss()) first_loss = first_loss ? std::min(*first_loss, *loss) : *loss;
  }
  ledger.in_flight = {ledger.generated.units - ledger.delivered.units - lost.units,
                      ledger.generated.events - ledger.delivered.events - lost.events};
  ledger.lost.push_back({"node_memory", "buffer_full", lost});
  result["logged_bytes"] = ledger.delivered.units;
  result["ledger"] = to_json(ledger);
  Json trace{{"recording_s", recording.seconds()},
             {"flushes", flushes},
             {"flushing_s", flushing.seconds()},
             {"longest_flush_s", longest_flush.seconds()},
             {"closing_s", closing.seconds()},
             {"writes", writes},
             {"written_bytes", params_.servers.empty() ? 0 : ledger.delivered.units},
             {"pairs", pairs_.size()},
             {"violations_as_written", violations_as_written_}};
  if (clocks_) trace["clocks"] = clocks_to_json();
  result["monitor"] = {{"buffer_bytes", fullest},
                       {"overrun", lost.events > 0},
                       {"first_overrun_s", first_loss ? Json(first_loss->seconds()) : Json()},
                       {"trace", trace}};
  result["latency_us"] = latency_to_json(age_);
  result["timestamp_error_us"] = to_json(timestamp_error_);
  result["causality_violations"] = violations_;
}

Json ProcessTrace::clocks_to_json() const {
  using When = ClockComparison::When;
  Json processes = Json::array();
  for (std::size_t p = 1; p < traced_.size(); ++p) {
    const auto microseconds = [&](When when, Time ClockOffset::*of) {
      const auto& found = clocks_->found(when, p);
      return found ? Json(((*found).*of).microseconds()) : Json();
    };
    processes.push_back({{"rank", traced_[p]},
                         {"begin_us", microseconds(When::begin, &ClockOffset::offset)},
                         {"begin_round_trip_us", microseconds(When::begin, &ClockOffset::round_trip)},
                         {"end_us", microseconds(When::end, &ClockOffset::offset)},
                         {"end_round_trip_us", microseconds(When::end, &ClockOffset::round_trip)}});
  }
  return {{"begin_s", clocks_->took(When::begin).seconds()},
          {"end_s", clocks_->took(When::end).seconds()},
          {"processes", processes}};
}

} // namespace hypermon::software
