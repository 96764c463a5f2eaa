// SPDX-License-Identifier: BSD-3-Clause
// Results of traces of processes.
#include "sw/monitors/report.hpp"
#include "sw/monitors/software/process_trace.hpp"
#include "sw/monitors/software/result_keys.hpp"
#include "sw/os/ranks.hpp"

#include <algorithm>

namespace hypermon::software {

void ProcessTrace::report(Results& results, Time, Time) const {
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
  std::vector<std::int64_t> fullest;
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
  results.set(reported_keys.logged_bytes, ledger.delivered.units);
  results.set(ledger_values(ledger));
  const auto& trace = software_keys.trace;
  results.set({software_keys.buffer_bytes(fullest), software_keys.overrun(lost.events > 0),
               software_keys.first_overrun_s(first_loss), trace.recording_s(recording), trace.flushes(flushes),
               trace.flushing_s(flushing), trace.longest_flush_s(longest_flush), trace.closing_s(closing),
               trace.writes(writes), trace.written_bytes(params_.servers.empty() ? 0 : ledger.delivered.units),
               trace.pairs(pairs_.size()), trace.violations_as_written(violations_as_written_)});
  if (clocks_) report_clocks(results);
  results.set(values_of(reported_keys.latency_us, age_));
  results.set(values_of(reported_keys.timestamp_error_us, timestamp_error_));
  results.set(reported_keys.causality_violations, violations_);
}

void ProcessTrace::report_clocks(Results& results) const {
  using When = ClockComparison::When;
  const auto& keys = software_keys.trace.clocks;
  ResultRecords processes(keys.processes.list);
  for (std::size_t p = 1; p < traced_.size(); ++p) {
    const auto found = [&](When when, Time ClockOffset::*field) {
      const auto& one = clocks_->found(when, p);
      return one ? std::optional((*one).*field) : std::nullopt;
    };
    processes.add({keys.processes.rank(traced_[p]), keys.processes.begin_us(found(When::begin, &ClockOffset::offset)),
                   keys.processes.begin_round_trip_us(found(When::begin, &ClockOffset::round_trip)),
                   keys.processes.end_us(found(When::end, &ClockOffset::offset)),
                   keys.processes.end_round_trip_us(found(When::end, &ClockOffset::round_trip))});
  }
  results.set({keys.begin_s(clocks_->took(When::begin)), keys.end_s(clocks_->took(When::end)), std::move(processes)});
}

} // namespace hypermon::software
