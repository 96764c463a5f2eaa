// SPDX-License-Identifier: BSD-3-Clause
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/instrumentation/event_volume.hpp"
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/stream/params.hpp"

namespace hypermon {
namespace {

/// No program runs on a machine: the monitor alone meets the events.
void check_stream(const Spec& spec) {
  if (spec.workload != "stream") return;
  const std::string with = " with workload = stream";
  if (!monitor_of(spec).monitor.takes_streams)
    throw UserError("monitor = " + spec.monitor + ": must be " + monitors_that(&MonitorTraits::takes_streams) + with);
  if (spec.get<BurstsParams>().keep_series) throw UserError("bursts.keep_series = true: must be false" + with);
}

} // namespace

Part stream_part() {
  Part part = workload_part<StreamParams>("stream", "events from a file, sent to the ports without a program.");
  part.check = check_stream;
  part.workload = {.description = "events of stream.file without a program", .is_stream = true};
  part.results = {
      {"stream.rows", "", "workload stream: rows of the file."},
      {"stream.without_data", "events", "Of them without data: nothing is written, they are left out."},
      {"stream.contents", "", "Where what the events hold comes from.", result::text},
      {"stream.begin", "stream.time_unit", "Time in the file that became 0.", result::real},
      {"stream.rounded_times", "events", "Whose times are no whole picoseconds: rounded."},
      {"stream.reordered", "", "Rows that are earlier than the row before: sorted by time."},
      {"stream.padded", "events", "That do not fill their last datum: padded with 0."},
      {"stream.delayed", "events", "That waited for their node's port, which was still writing."},
      {"stream.max_delay_us", "us", "The longest such wait."},
      {"stream.ignored_columns", "", "Columns of the file that say nothing here.", result::text},
  };
  return part;
}

} // namespace hypermon
