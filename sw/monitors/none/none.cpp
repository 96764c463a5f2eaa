// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/none/none.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/report.hpp"

namespace hypermon {

void NoMonitor::report(Results& results, Time, Time) const {
  results.set(reported_keys.logged_bytes, 0);
  results.set(ledger_values(Ledger("bytes")));
  results.set(monitor_keys.group.empty());
  results.set(values_without_events());
}

MonitorKind none_monitor();
MonitorKind none_monitor() {
  return {.name = "none",
          .make = [](const MonitorSetting&) -> std::unique_ptr<Monitor> { return std::make_unique<NoMonitor>(); }};
}

} // namespace hypermon
