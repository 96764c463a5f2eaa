// Parameters of workload "program": the user's own MPI program (platforms/worker/ runs it).
#pragma once
#include "hw/core/field.hpp"

namespace hypermon {

struct ProgramParams {
  std::string file;
  std::string arguments;
  std::string input;
  std::string cflags;
  std::string compute = "explicit";
  std::string calibration;
  double compute_factor = 1;
  static constexpr auto fields() {
    return std::tuple{
        Field{"file", &ProgramParams::file, hypermon::program(), "",
              "The program: C or C++ sources, or a shared object built by smpicc or smpicxx.", "input"},
        Field{"arguments", &ProgramParams::arguments, any_value(), "",
              "Its arguments, separated by spaces; quoted as for a POSIX shell.", "input"},
        Field{"input", &ProgramParams::input, hypermon::file(), "",
              "What rank 0 reads from standard input; for the others it is empty.", "input"},
        Field{"cflags", &ProgramParams::cflags, any_value(), "",
              "Further options of the compiler, after -O2 -g1; relative paths are to the first source's folder.",
              "input"},
        Field{"compute", &ProgramParams::compute, one_of({"explicit", "calibrated", "zero"}), "",
              "What its own code takes: what it charges (hypermon_charge), what a calibration measured between its MPI "
              "calls, or nothing.",
              "chosen"},
        Field{"calibration", &ProgramParams::calibration, hypermon::file(), "",
              "What `hypermon calibrate` measured of this very program (compute = calibrated).", "input"},
        Field{"compute_factor", &ProgramParams::compute_factor, range(0, 1e9), "",
              "Time on a simulated CPU for each second that the calibration measured on the host (compute = "
              "calibrated).",
              "input"}};
  }
};
static_assert(all_members_described<ProgramParams>());

} // namespace hypermon
