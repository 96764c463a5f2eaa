// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/supermon/monhole/monhole_report.hpp"
#include "sw/monitors/supermon/monhole/result_keys.hpp"

#include <optional>
#include <stdexcept>

namespace hypermon::supermon {
namespace {

void add(ResultValues& values, const BufferAmountKeys& keys, const BufferAmount& amount) {
  values.push_back(keys.entries(amount.entries));
  values.push_back(keys.bytes(amount.bytes));
}

BufferAmount sum(std::initializer_list<BufferAmount> parts) {
  BufferAmount all;
  for (const BufferAmount& part : parts) all += part;
  return all;
}

void check(const BufferAmount& generated, std::initializer_list<BufferAmount> parts) {
  if (generated != sum(parts)) throw std::logic_error("the monhole's ledger does not balance");
}

ResultValues values_of(std::uint32_t number, const SinkLedger& sink) {
  const auto& keys = monhole_keys.sinks;
  ResultValues values{keys.sink(number), keys.reads(sink.reads), keys.reads_of_no(sink.reads_of_no)};
  add(values, keys.seen, sink.seen);
  add(values, keys.overwritten, sink.overwritten);
  add(values, keys.drained, sink.drained);
  add(values, keys.refused, sink.refused);
  add(values, keys.died, sink.died);
  add(values, keys.left_behind, sink.left_behind);
  add(values, keys.repeated, sink.repeated);
  const bool any = sink.seen.entries > 0;
  values.push_back(
      keys.mean_age_s(any ? std::optional(sink.ages_s / static_cast<double>(sink.seen.entries)) : std::nullopt));
  values.push_back(keys.oldest_s(any ? std::optional(sink.oldest) : std::nullopt));
  return values;
}

} // namespace

void report(Results& results, const std::vector<const MonholeBuffer*>& nodes) {
  BufferLedger all;
  std::vector<SinkLedger> sinks(nodes.empty() ? 0 : nodes.front()->sinks());
  std::optional<std::size_t> fullest;
  std::optional<std::size_t> first_refused;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const MonholeBuffer& buffer = *nodes[n];
    all += buffer.ledger();
    for (std::uint32_t s = 0; s < sinks.size(); ++s) sinks[s] += buffer.ledger_of(s);
    if (buffer.peak().entries > 0 && (!fullest || buffer.peak().bytes > nodes[*fullest]->peak().bytes)) fullest = n;
    const auto& refused = buffer.first_refused();
    if (refused && (!first_refused || *refused < *nodes[*first_refused]->first_refused())) first_refused = n;
  }
  check(all.generated, {all.read, all.overwritten, all.refused, all.died, all.left_behind});
  const BufferPeak peak = fullest ? nodes[*fullest]->peak() : BufferPeak{};
  const MonholeKeys& keys = monhole_keys;
  ResultValues values;
  add(values, keys.generated, all.generated);
  add(values, keys.read, all.read);
  add(values, keys.overwritten, all.overwritten);
  add(values, keys.refused, all.refused);
  add(values, keys.died, all.died);
  add(values, keys.left_behind, all.left_behind);
  add(values, keys.read_again, all.read_again);
  results.set(values);
  results.set({keys.peak.bytes(peak.bytes), keys.peak.entries(peak.entries), keys.peak.node(fullest),
               keys.peak.at_s(fullest ? std::optional(peak.at) : std::nullopt), keys.first_refused.node(first_refused),
               keys.first_refused.at_s(first_refused ? nodes[*first_refused]->first_refused() : std::nullopt)});
  ResultRecords records(keys.sinks.list);
  for (std::uint32_t s = 0; s < sinks.size(); ++s) {
    const SinkLedger& sink = sinks[s];
    check(all.generated, {sink.seen, sink.overwritten, sink.drained, sink.refused, sink.died, sink.left_behind});
    records.add(values_of(s, sink));
  }
  results.set(std::move(records));
}

} // namespace hypermon::supermon
