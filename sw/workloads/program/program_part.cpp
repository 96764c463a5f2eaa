// SPDX-License-Identifier: BSD-3-Clause
#include "base/spec.hpp"
#include "base/user_error.hpp"
#include "sw/workloads/common/workload_part.hpp"
#include "sw/workloads/program/params.hpp"
#include "sw/workloads/program/result_keys.hpp"

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
  part.results = keys_of(program_keys);
  return part;
}

} // namespace hypermon
