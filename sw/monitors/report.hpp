// SPDX-License-Identifier: BSD-3-Clause
// Results that every monitor reports in the same form.
#pragma once
#include "base/histogram.hpp"
#include "base/json_value.hpp"
#include "base/results.hpp"
#include "sw/instrumentation/timestamp_error.hpp"
#include "sw/monitors/reported_keys.hpp"

#include <string>
#include <vector>

namespace hypermon {

/// generated = delivered + in flight + lost, in the monitor's unit and in whole events.
struct Ledger {
  struct Amount {
    std::uint64_t units = 0;
    std::uint64_t events = 0;
  };
  struct Loss {
    std::string stage;
    std::string cause;
    Amount amount;
  };
  /// Entry for losses at that stage with that cause. It is added if it is missing.
  static Amount& lost_to(std::vector<Loss>& all, const std::string& stage, const std::string& cause);

  explicit Ledger(std::string monitor_unit) : unit(std::move(monitor_unit)) {}
  std::string unit;
  Amount generated;
  Amount delivered;
  Amount in_flight;
  std::vector<Loss> lost;
};

/// Throws std::logic_error if the ledger does not balance, which is an internal error.
ResultValues ledger_values(const Ledger& ledger);
ResultValues values_of(const TimestampErrorKeys& keys, const TimestampError& error);
/// p50, p99, max and the distribution in at most a hundred bins.
ResultValues values_of(const LatencyKeys& keys, const TimeHistogram& latency);
/// The latency's p50, p99, max and distribution as one object, in microseconds; null if there is no latency.
Json latency_to_json(const TimeHistogram& latency);
/// Values for a monitor that carries no events: no latency, no error and no violation. If it takes samples, `sampling`
/// has their values.
ResultValues values_without_events();

} // namespace hypermon
