// SPDX-License-Identifier: BSD-3-Clause
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/program/params.hpp"

namespace hypermon {
namespace {

void check_program(const Spec& spec) {
  if (spec.workload != "program") return;
  if (spec.get<ProgramParams>().file.empty())
    throw UserError("program.file: must be given with workload = \"program\"");
  if (spec.get<ProgramParams>().compute == ComputeFrom::calibration && spec.get<ProgramParams>().calibration.empty())
    throw UserError("program.calibration: must be given with program.compute = \"calibrated\"; hypermon calibrate "
                    "makes one");
}

} // namespace

Part program_part() {
  Part part = workload_part<ProgramParams>("program", "your own MPI program.");
  part.check = check_program;
  part.workload.description = "your own program in program.file";
  part.results = {
      {"program.compute", "", "workload program: what its own code took, as program.compute says.", result::text},
      {"program.charges", "", "How often the program (explicit) or the calibration (calibrated) said what that took."},
      {"program.charged_s", "s", "All that they said, of all ranks; zero: counted, but not taken."},
      {"program.regions", "", "calibrated: places between two MPI calls that were passed and had been measured."},
      {"program.unmeasured_regions", "", "calibrated: places that were passed, but never measured: they took no time."},
      {"program.unmeasured_passes", "", "calibrated: how often they were passed."},
  };
  return part;
}

} // namespace hypermon
