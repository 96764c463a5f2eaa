// SPDX-License-Identifier: BSD-3-Clause
#include "sw/workloads/program/program_compute.hpp"
#include "base/file_parameter.hpp"
#include "base/text_file.hpp"
#include "sw/mpi/layer.hpp"
#include "sw/workloads/program/params.hpp"
#include "sw/workloads/program/result_keys.hpp"

namespace hypermon {

ProgramCompute::ProgramCompute(const WorkloadSetting& setting)
    : spec_(setting.spec), directory_(setting.directory), os_(setting.os) {
  const auto& program = spec_.get<ProgramParams>();
  if (setting.calibrate || program.compute != ComputeFrom::charges) setting.os.execution.ignore_charges();
  if (setting.calibrate)
    mpi_layer().observers.add(measured_.emplace(os_.ranks.world_size(), setting.object_of));
  else if (program.compute == ComputeFrom::calibration)
    mpi_layer().observers.add(charged_.emplace(os_.ranks.world_size(), setting.object_of,
                                               file_parameter(program.calibration)->path,
                                               file_parameter(program.file)->sha256, program.compute_factor));
}

void ProgramCompute::report(Results& results) const {
  if (measured_)
    write_text(directory_ + "/calibration.json",
               [this](std::ostream& file) { file << measured_->to_json().dump(1) << '\n'; });
  results.set(program_keys.compute, word(spec_.get<ProgramParams>().compute));
  if (charged_) return results.set(charged_->report());
  std::uint64_t charges = 0;
  Time charged;
  for (const RankState& rank : os_.ranks.all()) {
    charges += rank.declared.calls;
    charged += rank.declared.time;
  }
  results.set({program_keys.charges(charges), program_keys.charged_s(charged)});
}

} // namespace hypermon
