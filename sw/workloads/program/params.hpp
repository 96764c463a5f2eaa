// SPDX-License-Identifier: BSD-3-Clause
// Parameters of workload "program": the user's MPI program (platforms/worker/ runs it).
#pragma once
#include "base/choice.hpp"
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Source of the time of the program's own code: its charges, a calibration, or nothing.
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
            "Program to run: C, C++ or Fortran sources; a folder that make, CMake or configure builds; or a shared "
            "object built by smpicc, smpicxx or smpif90.",
            "input"}
          .that_runs(
              "The compiler on sources, or the folder's makefile, CMakeLists.txt or configure and whatever these "
              "start; then the program, once for each rank. A shared object's code runs as soon as it is loaded."),
      Field{"arguments", &ProgramParams::arguments, any_value(), "",
            "Command-line arguments of the program, separated by spaces and quoted as for a POSIX shell.", "input"},
      Field{"input", &ProgramParams::input, hypermon::file(), "",
            "File that rank 0 reads from standard input. The other ranks' standard input is empty.", "input"},
      Field{"cflags", &ProgramParams::cflags, any_value(), "",
            "Further compiler options, after -O2 -g1 or a folder's own options. Relative paths are relative to the "
            "first source's folder.",
            "input"}
          .that_runs("The compiler with these options, of which some start programs and load plug-ins."),
      Field{"make", &ProgramParams::make, any_value(), "",
            "Arguments of a folder's build, quoted as for a POSIX shell. make: targets and NAME=VALUE. CMake: targets "
            "and -DNAME=VALUE. configure: --options.",
            "input"}
          .that_runs("The folder's build with these targets, variables and options."),
      Field{"executable", &ProgramParams::executable, any_value(), "",
            "Name of the program to run if a folder's build makes several. Empty: the only one.", "input"},
      Field{"root", &ProgramParams::root, hypermon::folder(), "",
            "Folder that is copied for a build; it must contain the folder program.file. Empty: program.file itself, "
            "or the folder above it from which its makefile includes files.",
            "input"},
      Field{"folder", &ProgramParams::folder, hypermon::folder(), "",
            "Folder whose files are copied to the ranks' working folder. Empty: the folder that was built, if any.",
            "input"},
      Field{"environment", &ProgramParams::environment, assignments(), "",
            "Environment variables of the program as NAME=value, or singly as program.environment.NAME. There are no "
            "others except TZ=UTC0.",
            "input"},
      Field{"stack_bytes", &ProgramParams::stack_bytes, range(262144, 1099511627776, 4096), "Stack size of each rank.",
            "SimGrid's default"},
      Field{"compute", &ProgramParams::compute,
            "CPU time of the program's own code. explicit: the times that it charges (hypermon_charge). calibrated: "
            "the times between MPI calls in program.calibration. zero: none.",
            "chosen"},
      Field{"calibration", &ProgramParams::calibration, hypermon::file(), "",
            "File that `hypermon calibrate` wrote for this program. It is needed with program.compute = calibrated.",
            "input"},
      Field{"compute_factor", &ProgramParams::compute_factor, range(0, 1e9), "",
            "Simulated CPU time for each second of host time in program.calibration. 2 models a CPU half as fast as "
            "the host. It applies with program.compute = calibrated.",
            "input"});
}
static_assert(all_members_described<ProgramParams>());

} // namespace hypermon
