// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/report.hpp"

#include <algorithm>
#include <stdexcept>

namespace hypermon {
namespace {

constexpr std::size_t latency_bins = 100; // (chosen) as many bins as `rates` has

void check(const char* what, std::uint64_t generated, std::uint64_t accounted) {
  if (generated != accounted)
    throw std::logic_error("internal error: the ledger does not balance: " + std::to_string(generated) + " " + what +
                           " generated, " + std::to_string(accounted) + " accounted for");
}

} // namespace

Ledger::Amount& Ledger::lost_to(std::vector<Loss>& all, const std::string& stage, const std::string& cause) {
  const auto it = std::ranges::find_if(all, [&](const Loss& l) { return l.stage == stage && l.cause == cause; });
  return (it != all.end() ? *it : all.emplace_back(Loss{stage, cause, {}})).amount;
}

Json to_json_value(const LedgerAmount& amount) { return {{amount.unit, amount.units}, {"events", amount.events}}; }

Json to_json_value(const LedgerLoss& loss) {
  Json entry{{"stage", loss.stage}, {"cause", loss.cause}};
  entry.update(to_json_value(loss.amount));
  return entry;
}

ResultValues ledger_values(const Ledger& ledger) {
  const auto in_unit = [&](const Ledger::Amount& a) { return LedgerAmount{ledger.unit, a.units, a.events}; };
  Ledger::Amount lost;
  std::vector<LedgerLoss> causes;
  for (const auto& l : ledger.lost) {
    lost.units += l.amount.units;
    lost.events += l.amount.events;
    causes.push_back({l.stage, l.cause, in_unit(l.amount)});
  }
  check(ledger.unit.c_str(), ledger.generated.units, ledger.delivered.units + ledger.in_flight.units + lost.units);
  check("events", ledger.generated.events, ledger.delivered.events + ledger.in_flight.events + lost.events);
  const auto& keys = reported_keys.ledger;
  return {keys.unit(ledger.unit),
          keys.generated(in_unit(ledger.generated)),
          keys.delivered(in_unit(ledger.delivered)),
          keys.in_flight(in_unit(ledger.in_flight)),
          keys.lost_total(in_unit(lost)),
          keys.lost(causes)};
}

ResultValues values_of(const TimestampErrorKeys& keys, const TimestampError& error) {
  if (error.count == 0) return {keys.group.null()};
  return {keys.min(error.min), keys.mean(error.mean_us()), keys.max(error.max)};
}

namespace {

/// Upper ends of the bins in microseconds, and their counts.
std::pair<std::vector<double>, std::vector<std::uint64_t>> bins_of(const TimeHistogram& latency) {
  std::pair<std::vector<double>, std::vector<std::uint64_t>> found;
  for (const TimeHistogram::Bin& bin : latency.bins(latency_bins)) {
    // use the nearest double, which has the shortest text
    found.first.push_back(static_cast<double>(bin.upper.ps()) / 1e6);
    found.second.push_back(bin.count);
  }
  return found;
}

} // namespace

ResultValues values_of(const LatencyKeys& keys, const TimeHistogram& latency) {
  if (latency.count() == 0) return {keys.group.null()};
  const auto [upper, events] = bins_of(latency);
  return {keys.p50(*latency.quantile(0.5)), keys.p99(*latency.quantile(0.99)), keys.max(latency.max()),
          keys.upper_us(upper), keys.events(events)};
}

ResultValues values_without_events() {
  return {reported_keys.latency_us.group.null(), reported_keys.timestamp_error_us.group.null(),
          reported_keys.causality_violations(0)};
}

Json latency_to_json(const TimeHistogram& latency) {
  if (latency.count() == 0) return nullptr;
  const auto [upper, events] = bins_of(latency);
  return {{"p50", latency.quantile(0.5)->microseconds()},
          {"p99", latency.quantile(0.99)->microseconds()},
          {"max", latency.max().microseconds()},
          {"distribution", {{"upper_us", upper}, {"events", events}}}};
}

} // namespace hypermon
