#include "platforms/spec/check.hpp"
#include "platforms/spec/recording.hpp"
#include "platforms/spec/user_error.hpp"
#include "sw/instrumentation/catalogue_json.hpp"

namespace hypermon {
namespace {

/// A frame says by bit 31 of its vector word whether it has a timestamp, so that bit cannot be an input's; and an
/// empty frame, which nobody flagged, would have none (spec sec. 6).
void check_timestamps(const std::string& path, const EcbParams& ecb) {
  if (ecb.timestamp_policy != "on_request") return;
  const std::string policy = " with " + path + ".timestamp_policy = \"on_request\"";
  if (ecb.inputs > 31) throw UserError("ecb.inputs = " + std::to_string(ecb.inputs) + ": must be 1 to 31" + policy);
  if (ecb.wrap_frames) throw UserError(path + ".wrap_frames = true: must be false" + policy);
}

void check_program(const Spec& spec) {
  if (spec.workload != "program") return;
  if (spec.program.file.empty()) throw UserError("program.file: must be given with workload = \"program\"");
  if (spec.program.compute == "calibrated" && spec.program.calibration.empty())
    throw UserError("program.calibration: must be given with program.compute = \"calibrated\"; hypermon calibrate "
                    "makes one");
}

/// A stream of events meets the hardware alone: no machine, nobody who decodes.
void check_stream(const Spec& spec) {
  if (spec.workload != "stream") return;
  const std::string with = " with workload = stream";
  if (spec.monitor != "hypermon") throw UserError("monitor = " + spec.monitor + ": must be hypermon" + with);
  if (stalls(spec)) throw UserError("ecb.node_fifo_full = stall: must be drop" + with + ", which no node can wait for");
  if (spec.drain.destination == "host")
    throw UserError("drain.destination = host: must be another" + with + ", which has no machine with links");
  if (spec.drain.reduction == "statistics")
    throw UserError("drain.reduction = statistics: must be none or streams" + with + ", whose events have no types");
  if (spec.faults.garbage_frames != 0)
    throw UserError("faults.garbage_frames = " + std::to_string(spec.faults.garbage_frames) + ": must be 0" + with +
                    ": only a decoder would tell them from data");
  if (spec.bursts.keep_series) throw UserError("bursts.keep_series = true: must be false" + with);
}

void check_catalogue(const std::string& value) {
  try {
    read_catalogue(value);
  } catch (const UserError& error) {
    throw UserError(std::string("instrumentation.catalogue: ") + error.what());
  }
}

} // namespace

void check_together(const Spec& spec) {
  check_machine(spec);
  check_program(spec);
  check_catalogue(spec.instrumentation.catalogue);
  for (std::size_t board = 0; board < spec.boards(); ++board) {
    const std::string own = "ecb[" + std::to_string(board) + "]";
    check_timestamps(spec.ecb.differing.contains(board) ? own : "ecb", spec.ecb_of(board));
  }
  check_stream(spec);
}

} // namespace hypermon
