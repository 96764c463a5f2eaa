// The programs that can run, and what they are described by.
#include "sw/model/spec.hpp"
#include "sw/model/user_error.hpp"
#include "sw/workloads/collection_params_fields.hpp"
#include "sw/workloads/params_fields.hpp"
#include "sw/workloads/program_params_fields.hpp"
#include "sw/workloads/stream_params_fields.hpp"
#include "sw/workloads/trace_params_fields.hpp"

namespace hypermon {
namespace {

template <class Params> Part workload(const std::string& name, const std::string& description) {
  return {.kind = Part::Kind::workload,
          .name = name,
          .sections = {section<Params>(name, "Workload " + name + ": " + description)}};
}

void check_program(const Spec& spec) {
  if (spec.workload != "program") return;
  if (spec.get<ProgramParams>().file.empty())
    throw UserError("program.file: must be given with workload = \"program\"");
  if (spec.get<ProgramParams>().compute == "calibrated" && spec.get<ProgramParams>().calibration.empty())
    throw UserError("program.calibration: must be given with program.compute = \"calibrated\"; hypermon calibrate "
                    "makes one");
}

} // namespace

Part simplex_part() { return workload<SimplexParams>("simplex", "column-wise distributed simplex."); }
Part life_part() { return workload<LifeParams>("life", "Conway's automaton on strips."); }
Part matmul_part() { return workload<MatmulParams>("matmul", "matrix product by row blocks."); }
Part place_part() { return workload<PlaceParams>("place", "cell placement by simulated annealing."); }
Part generator_part() { return workload<GeneratorParams>("generator", "nibbles at full rate (sec. 5.1)."); }
Part program_part() {
  Part part = workload<ProgramParams>("program", "the user's own MPI program.");
  part.check = check_program;
  return part;
}
Part trace_part() { return workload<TraceParams>("trace", "what the ranks of a recorded program did, done again."); }
Part pingpong_part() { return workload<PingpongParams>("pingpong", "a message to and fro in growing sizes."); }
Part ring_part() { return workload<RingParams>("ring", "blocks travel round a ring."); }
Part alltoall_part() { return workload<AlltoallParams>("alltoall", "pairwise exchange of all with all."); }
Part halo_part() { return workload<HaloParams>("halo", "Jacobi sweeps, 2-D halo exchange."); }
Part workers_part() { return workload<WorkersParams>("workers", "a master deals out tasks."); }
Part wavefront_part() { return workload<WavefrontParams>("wavefront", "relaxation in a pipeline of planes."); }
Part cg_part() { return workload<CgParams>("cg", "conjugate gradients on strips."); }
Part fft_part() { return workload<FftParams>("fft", "2-D Fourier transform with transpositions."); }
Part stream_part() { return workload<StreamParams>("stream", "events from a file, straight to the ports."); }

} // namespace hypermon
