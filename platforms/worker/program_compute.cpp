#include "platforms/worker/program_compute.hpp"
#include "sw/instrumentation/text_file.hpp"
#include "sw/model/file_parameter.hpp"
#include "sw/model/user_error.hpp"
#include "sw/workloads/program_params.hpp"

namespace hypermon {

ProgramCompute::ProgramCompute(const Spec& spec, const RunOptions& options, Nx2& os)
    : spec_(spec), options_(options), os_(os) {
  if (options.calibrate && spec.workload != "program")
    throw UserError("workload = " + spec.workload + ": only the user's own program is measured");
  if (spec.workload != "program") return;
  if (options.calibrate || spec.get<ProgramParams>().compute != "explicit") os.ignore_charges();
  if (options.calibrate)
    os.observe_mpi(measured_.emplace(os.world_size()));
  else if (spec.get<ProgramParams>().compute == "calibrated")
    os.observe_mpi(charged_.emplace(os.world_size(), file_parameter(spec.get<ProgramParams>().calibration)->path,
                                    file_parameter(spec.get<ProgramParams>().file)->sha256,
                                    spec.get<ProgramParams>().compute_factor));
}

void ProgramCompute::report(nlohmann::ordered_json& result) const {
  if (spec_.workload != "program") return;
  if (measured_)
    write_text(options_.directory + "/calibration.json",
               [this](std::ostream& file) { file << measured_->to_json().dump(1) << '\n'; });
  auto& program = result["program"];
  program["compute"] = spec_.get<ProgramParams>().compute;
  if (charged_) {
    program.update(charged_->to_json());
    return;
  }
  std::uint64_t charges = 0;
  Time charged;
  for (const RankState& rank : os_.ranks()) {
    charges += rank.charges;
    charged += rank.charged;
  }
  program["charges"] = charges;
  program["charged_s"] = charged.seconds();
}

} // namespace hypermon
