// SPDX-License-Identifier: BSD-3-Clause
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/instrumentation/event_volume.hpp"
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/stream/params.hpp"
#include "sw/workloads/stream/result_keys.hpp"

namespace hypermon {
namespace {

/// There is no program and no machine: only the monitor processes the events.
void check_stream(const Spec& spec) {
  if (spec.workload != "stream") return;
  const std::string setting = " with workload = stream";
  if (!monitor_of(spec).monitor.takes_streams)
    throw UserError("monitor = " + spec.monitor + ": must be " + monitors_that(&MonitorTraits::takes_streams) +
                    setting);
  if (spec.get<BurstsParams>().keep_series) throw UserError("bursts.keep_series = true: must be false" + setting);
}

} // namespace

Part stream_part() {
  Part part = workload_part<StreamParams>("stream", "events from a file, sent to the ports without a program.");
  part.check = check_stream;
  part.workload = {.description = "events of stream.file without a program", .is_stream = true};
  part.results = keys_of(stream_keys);
  return part;
}

} // namespace hypermon
