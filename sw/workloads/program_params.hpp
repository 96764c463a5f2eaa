// Parameters of workload "program": the user's own MPI program (platforms/worker/ runs it).
#pragma once
#include <string>

namespace hypermon {

struct ProgramParams {
  std::string file;
  std::string arguments;
  std::string cflags;
  std::string compute = "explicit";
  std::string calibration;
  double compute_factor = 1;
};

} // namespace hypermon
