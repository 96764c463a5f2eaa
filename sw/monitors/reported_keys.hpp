// SPDX-License-Identifier: BSD-3-Clause
// Result keys that every monitor reports.
#pragma once
#include "base/result_keys.hpp"

#include <string>

namespace hypermon {

/// An amount in the ledger's unit and in whole events.
struct LedgerAmount {
  std::string_view unit;
  std::uint64_t units;
  std::uint64_t events;
};
struct LedgerLoss {
  std::string_view stage;
  std::string_view cause;
  LedgerAmount amount;
};
template <> struct ResultTypeName<LedgerAmount> { static constexpr std::string_view name = "Amount"; };
template <> struct ResultTypeName<LedgerLoss> { static constexpr std::string_view name = "Loss"; };
Json to_json_value(const LedgerAmount& amount);
Json to_json_value(const LedgerLoss& loss);

/// Of latencies, or of other times of which the distribution is of interest. Null if there is none.
struct LatencyKeys {
  ResultGroup group;
  ResultKey<double> p50;
  ResultKey<double> p99;
  ResultKey<double> max;
  ResultKey<std::vector<double>> upper_us;
  ResultKey<std::vector<int>> events;
};

/// Of a monitor's timestamps. Null if there is none.
struct TimestampErrorKeys {
  ResultGroup group;
  ResultKey<double> min;
  ResultKey<double> mean;
  ResultKey<double> max;
};

struct ReportedKeys {
  ResultKey<int> logged_bytes{"logged_bytes", "B",
                              "Table 2's logged data: trace records in node memory, or frames read over the PBX."};
  struct Ledger {
    ResultKey<std::string> unit{"ledger.unit", "", "The monitor's own unit"};
    ResultKey<LedgerAmount> generated{"ledger.generated", "unit, events", "What was emitted."};
    ResultKey<LedgerAmount> delivered{"ledger.delivered", "unit, events",
                                      "What arrived; events: decoded, and equal to what was emitted."};
    ResultKey<LedgerAmount> in_flight{"ledger.in_flight", "unit, events",
                                      "What was still under way when the run ended."};
    ResultKey<LedgerAmount> lost_total{"ledger.lost_total", "unit, events", "Sum of all losses."};
    ResultKey<std::vector<LedgerLoss>> lost{"ledger.lost[]", "unit, events", "Losses by stage and cause."};
  } ledger;
  LatencyKeys latency_us{
      ResultGroup{"latency_us"},
      {"latency_us.p50", "us",
       "Median time from the start of an event's emission until the monitor has delivered the event. latency_us is "
       "null if no event travelled."},
      {"latency_us.p99", "us", "99th percentile of the time from emission to delivery."},
      {"latency_us.max", "us", "Longest time from emission to delivery."},
      {"latency_us.distribution.upper_us[]", "us",
       "The distribution in at most 100 bins, the finest that are so few (1024, 512, ... 1 to a doubling), empty ones "
       "left out: no event of the bin took longer. The last is the maximum."},
      {"latency_us.distribution.events[]", "events", "Events in each bin, exact."}};
  TimestampErrorKeys timestamp_error_us{
      ResultGroup{"timestamp_error_us"},
      {"timestamp_error_us.min", "us", "Least of: the monitor's timestamp less true time of the event."},
      {"timestamp_error_us.mean", "us", "Its mean."},
      {"timestamp_error_us.max", "us", "Its maximum."}};
  ResultKey<int> causality_violations{"causality_violations", "messages",
                                      "Messages received before they were sent, by the monitor's timestamps."};
};
inline constexpr ReportedKeys reported_keys{};

/// The monitors' own keys are below it. Empty if a monitor has none.
struct MonitorKeys {
  ResultGroup group{"monitor"};
};
inline constexpr MonitorKeys monitor_keys{};

/// The description of a key, with what the registered monitors add to it.
std::string description_of(const ResultInfo& key);

} // namespace hypermon
