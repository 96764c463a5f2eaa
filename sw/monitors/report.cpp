// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/report.hpp"

#include <algorithm>
#include <stdexcept>

namespace hypermon {
namespace {

constexpr std::size_t latency_bins = 100; // (chosen) as many numbers as rates has

Json both(const std::string& unit, const Ledger::Amount& a) { return {{unit, a.units}, {"events", a.events}}; }

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

Json to_json(const Ledger& ledger) {
  Ledger::Amount lost;
  Json causes = Json::array();
  for (const auto& l : ledger.lost) {
    lost.units += l.amount.units;
    lost.events += l.amount.events;
    Json entry{{"stage", l.stage}, {"cause", l.cause}};
    entry.update(both(ledger.unit, l.amount));
    causes.push_back(std::move(entry));
  }
  check(ledger.unit.c_str(), ledger.generated.units, ledger.delivered.units + ledger.in_flight.units + lost.units);
  check("events", ledger.generated.events, ledger.delivered.events + ledger.in_flight.events + lost.events);
  return {{"unit", ledger.unit},
          {"generated", both(ledger.unit, ledger.generated)},
          {"delivered", both(ledger.unit, ledger.delivered)},
          {"in_flight", both(ledger.unit, ledger.in_flight)},
          {"lost_total", both(ledger.unit, lost)},
          {"lost", causes}};
}

Json to_json(const TimestampError& error) {
  if (error.count == 0) return nullptr;
  return {{"min", error.min.microseconds()}, {"mean", error.mean_us()}, {"max", error.max.microseconds()}};
}

Json latency_to_json(const TimeHistogram& latency) {
  if (latency.count() == 0) return nullptr;
  Json upper = Json::array();
  Json events = Json::array();
  for (const TimeHistogram::Bin& bin : latency.bins(latency_bins)) {
    upper.push_back(static_cast<double>(bin.upper.ps()) / 1e6); // the nearest number: the shortest text
    events.push_back(bin.count);
  }
  return {{"p50", latency.quantile(0.5)->microseconds()},
          {"p99", latency.quantile(0.99)->microseconds()},
          {"max", latency.max().microseconds()},
          {"distribution", {{"upper_us", std::move(upper)}, {"events", std::move(events)}}}};
}

} // namespace hypermon
