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

/// Keys of a distribution of latencies or of other times. The group is null if there are no times.
struct LatencyKeys {
  ResultGroup group;
  ResultKey<double> p50;
  ResultKey<double> p99;
  ResultKey<double> max;
  ResultKey<std::vector<double>> upper_us;
  ResultKey<std::vector<int>> events;
};

/// Keys of the errors of a monitor's timestamps. The group is null if there are no timestamps.
struct TimestampErrorKeys {
  ResultGroup group;
  ResultKey<double> min;
  ResultKey<double> mean;
  ResultKey<double> max;
};

struct ReportedKeys {
  ResultKey<int> logged_bytes{"logged_bytes", "B",
                              "Size of the monitor's data (logged data in Table 2): records in memory or files, "
                              "frames read over the PBX, profiles, or a sampling monitor's messages."};
  struct Ledger {
    ResultKey<std::string> unit{"ledger.unit", "", "Unit of the monitor's ledger"};
    ResultKey<LedgerAmount> generated{
        "ledger.generated", "unit, events",
        "Amount of data that the program or the sampling generated, in the ledger's unit and in events."};
    ResultKey<LedgerAmount> delivered{"ledger.delivered", "unit, events",
                                      "Amount of data that arrived, in the ledger's unit and in events. An event "
                                      "counts if it was decoded and equals the emitted one."};
    ResultKey<LedgerAmount> in_flight{
        "ledger.in_flight", "unit, events",
        "Amount of data still under way when the run ended, in the ledger's unit and in events."};
    ResultKey<LedgerAmount> lost_total{"ledger.lost_total", "unit, events",
                                       "Sum of all losses, in the ledger's unit and in events."};
    ResultKey<std::vector<LedgerLoss>> lost{"ledger.lost[]", "unit, events",
                                            "Losses by stage and cause, in the ledger's unit and in events."};
  } ledger;
  LatencyKeys latency_us{
      ResultGroup{"latency_us"},
      {"latency_us.p50", "us",
       "Median time from the start of an event's emission until the monitor has delivered the event. latency_us is "
       "null if no event travelled to an analyst."},
      {"latency_us.p99", "us", "99th percentile of the time from an event's emission to its delivery."},
      {"latency_us.max", "us", "Longest time from an event's emission to its delivery."},
      {"latency_us.distribution.upper_us[]", "us",
       "Upper end of each bin of the latency distribution: no event in the bin took longer. Each doubling of the time "
       "has the same number of bins: the largest power of two, at most 1024, that gives at most 100 non-empty bins. "
       "Empty bins are left out; the last end is the maximum."},
      {"latency_us.distribution.events[]", "events",
       "Exact number of events in each bin of the latency distribution."}};
  TimestampErrorKeys timestamp_error_us{
      ResultGroup{"timestamp_error_us"},
      {"timestamp_error_us.min", "us",
       "Smallest timestamp error of an event: the monitor's timestamp minus the true time. timestamp_error_us is null "
       "if no event has a timestamp."},
      {"timestamp_error_us.mean", "us",
       "Mean timestamp error of the events: the monitor's timestamp minus the true time."},
      {"timestamp_error_us.max", "us",
       "Largest timestamp error of an event: the monitor's timestamp minus the true time."}};
  ResultKey<int> causality_violations{
      "causality_violations", "messages",
      "Number of messages received before they were sent, by the monitor's timestamps."};
};
inline constexpr ReportedKeys reported_keys{};

/// Group of the monitor's own keys. Empty if the monitor has none.
struct MonitorKeys {
  ResultGroup group{"monitor"};
};
inline constexpr MonitorKeys monitor_keys{};

/// Description of a key, with the additions of the registered monitors.
std::string description_of(const ResultInfo& key);

} // namespace hypermon
