// Parameters of workload "program": the user's own MPI program (platforms/worker/ runs it).
#pragma once
#include "hw/core/field.hpp"

namespace hypermon {

struct ProgramParams {
  std::string file;
  std::string arguments;
  static constexpr auto fields() {
    return std::tuple{Field{"file", &ProgramParams::file, hypermon::file(), "",
                            "The program, a shared object built by smpicc or smpicxx.", "input"},
                      Field{"arguments", &ProgramParams::arguments, any_value(), "",
                            "Its arguments, separated by spaces; quoted as a POSIX shell would have them.", "input"}};
  }
};
static_assert(all_members_described<ProgramParams>());

} // namespace hypermon
