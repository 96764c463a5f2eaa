// SPDX-License-Identifier: BSD-3-Clause
#include "hw/machine/node_seeds.hpp"
#include "sw/instrumentation/catalogue_json.hpp"
#include "sw/instrumentation/params.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/software/process_trace.hpp"
#include "sw/monitors/software/software.hpp"

namespace hypermon {

MonitorKind software_monitor();
MonitorKind software_monitor() {
  return {.name = "software", .make = [](const MonitorSetting& setting) -> std::unique_ptr<Monitor> {
            const auto& params = setting.spec.get<SoftwareParams>();
            if (params.traces == TraceOf::process) return std::make_unique<software::ProcessTrace>(setting.spec);
            auto monitor = std::make_unique<SoftwareMonitor>(
                params, node_clocks(setting.spec), read_catalogue(setting.spec.get<InstrumentationParams>().catalogue));
            if (setting.options.events) monitor->keep_events(setting.directory);
            return monitor;
          }};
}

} // namespace hypermon
