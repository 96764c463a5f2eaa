// SPDX-License-Identifier: BSD-3-Clause
// Parameters of workload "program": the user's own MPI program (platforms/worker/ runs it).
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// What the program's own code takes: what it charges, what a calibration says, or nothing.
enum class ComputeFrom { charges, calibration, nothing };
constexpr auto words_of(ComputeFrom) { return words("explicit", "calibrated", "zero"); }

struct ProgramParams {
  std::string file;
  std::string arguments;
  std::string input;
  std::string cflags;
  std::string make;
  std::string executable;
  std::string root;
  std::string folder;
  std::string environment;
  Bytes stack_bytes = 8388608;
  ComputeFrom compute = ComputeFrom::charges;
  std::string calibration;
  double compute_factor = 1;
};

constexpr auto fields_of(const ProgramParams*) {
  return fields(
      Field{"file", &ProgramParams::file, hypermon::program(), "",
            "The program: C, C++ or Fortran sources; a folder that make, CMake or configure builds; or a shared object "
            "built by smpicc, smpicxx or smpif90.",
            "input"}
          .that_runs(
              "The compiler on sources, or the folder's makefile, CMakeLists.txt or configure and whatever these "
              "start; then the program, once for each rank. A shared object's code runs as soon as it is loaded."),
      Field{"arguments", &ProgramParams::arguments, any_value(), "",
            "Its arguments, separated by spaces; quoted as for a POSIX shell.", "input"},
      Field{"input", &ProgramParams::input, hypermon::file(), "",
            "What rank 0 reads from standard input; for the others it is empty.", "input"},
      Field{"cflags", &ProgramParams::cflags, any_value(), "",
            "Further options of the compiler, after -O2 -g1 or a folder's own; relative paths are to the first "
            "source's folder.",
            "input"}
          .that_runs("The compiler with these options, of which some start programs and load plug-ins."),
      Field{"make", &ProgramParams::make, any_value(), "",
            "What a folder is built with: targets and NAME=VALUE for make; -DNAME=VALUE, targets for CMake; "
            "--options of configure. Quoted as for a POSIX shell.",
            "input"}
          .that_runs("The folder's build with these targets, variables and options."),
      Field{"executable", &ProgramParams::executable, any_value(), "",
            "Which of the programs that a folder's build makes; empty: the only one.", "input"},
      Field{"root", &ProgramParams::root, hypermon::folder(), "",
            "Folder that is copied for a build in the folder program.file, which must be in it. Empty: program.file "
            "itself, or the folder above it that its makefile includes files from.",
            "input"},
      Field{"folder", &ProgramParams::folder, hypermon::folder(), "",
            "Files that the ranks find where they work, in a copy; empty: those of a folder that was built, else none.",
            "input"},
      Field{"environment", &ProgramParams::environment, assignments(), "",
            "Environment variables, NAME=value; also one by one as program.environment.NAME. There are no others but "
            "TZ=UTC0.",
            "input"},
      Field{"stack_bytes", &ProgramParams::stack_bytes, range(262144, 1099511627776, 4096), "A rank's stack.",
            "SimGrid's default"},
      Field{"compute", &ProgramParams::compute,
            "What its own code takes: what it charges (hypermon_charge), what a calibration measured between its MPI "
            "calls, or nothing.",
            "chosen"},
      Field{"calibration", &ProgramParams::calibration, hypermon::file(), "",
            "What `hypermon calibrate` measured of this very program (compute = calibrated).", "input"},
      Field{"compute_factor", &ProgramParams::compute_factor, range(0, 1e9), "",
            "Time on a simulated CPU for each second that the calibration measured on the host (compute = "
            "calibrated).",
            "input"});
}
static_assert(all_members_described<ProgramParams>());

} // namespace hypermon
