// SPDX-License-Identifier: BSD-3-Clause
// Parameters of workload "program": the user's own MPI program (platforms/worker/ runs it).
#pragma once
#include "base/choice.hpp"
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

} // namespace hypermon
