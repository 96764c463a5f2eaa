// SPDX-License-Identifier: BSD-3-Clause
// What every monitor reports in the same form.
#pragma once
#include "base/histogram.hpp"
#include "base/json_value.hpp"
#include "base/parts.hpp"
#include "sw/instrumentation/timestamp_error.hpp"

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
  /// What was lost at that stage for that cause, of all losses: to add to.
  static Amount& lost_to(std::vector<Loss>& all, const std::string& stage, const std::string& cause);

  explicit Ledger(std::string monitor_unit) : unit(std::move(monitor_unit)) {}
  std::string unit;
  Amount generated;
  Amount delivered;
  Amount in_flight;
  std::vector<Loss> lost;
};

/// Throws std::logic_error if the ledger does not balance: that is our fault, never the user's.
Json to_json(const Ledger& ledger);
Json to_json(const TimestampError& error);
/// p50, p99, max and the distribution (at most a hundred bins, whatever came), in microseconds; null if empty.
Json latency_to_json(const TimeHistogram& latency);

/// The keys of all that.
ResultKeys reported_keys();

} // namespace hypermon
