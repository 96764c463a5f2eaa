// SPDX-License-Identifier: BSD-3-Clause
#include "sw/monitors/none/none.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/report.hpp"

namespace hypermon {

void NoMonitor::report(Json& result, Time, Time) const {
  result["logged_bytes"] = 0;
  result["ledger"] = to_json(Ledger("bytes"));
  result["monitor"] = Json::object();
  result["latency_us"] = nullptr;
  result["timestamp_error_us"] = nullptr;
  result["causality_violations"] = 0;
}

MonitorKind none_monitor();
MonitorKind none_monitor() {
  return {.name = "none",
          .make = [](const MonitorSetting&) -> std::unique_ptr<Monitor> { return std::make_unique<NoMonitor>(); }};
}

} // namespace hypermon
