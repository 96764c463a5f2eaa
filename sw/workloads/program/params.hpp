// Parameters of workload "program": the user's own MPI program (platforms/worker/ runs it).
#pragma once
#include <cstdint>
#include <string>

namespace hypermon {

struct ProgramParams {
  std::string file;
  std::string arguments;
  std::string input;
  std::string cflags;
  std::string make;
  std::string executable;
  std::string folder;
  std::string environment;
  std::int64_t stack_bytes = 8388608;
  std::string compute = "explicit";
  std::string calibration;
  double compute_factor = 1;
};

} // namespace hypermon
