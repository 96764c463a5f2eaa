// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the user's own program.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct ProgramKeys {
  ResultKey<std::string> compute{"program.compute", "",
                                 "Source of the computing times of the user's program, as program.compute says."};
  ResultKey<int> charges{
      "program.charges", "",
      "Number of computing times given by the program (explicit) or by the calibration (calibrated)."};
  ResultKey<double> charged_s{"program.charged_s", "s",
                              "Sum of the given computing times of all ranks. With program.compute = zero, they are "
                              "counted, but take no time."};
  ResultKey<int> regions{
      "program.regions", "",
      "Number of regions between two MPI calls that the program passed and that the calibration had measured."};
  ResultKey<int> unmeasured_regions{
      "program.unmeasured_regions", "",
      "Number of regions between two MPI calls that the calibration lacks; they took no simulated time."};
  ResultKey<int> unmeasured_passes{"program.unmeasured_passes", "",
                                   "Number of times that the program passed regions without calibration."};
};
inline constexpr ProgramKeys program_keys{};

} // namespace hypermon
