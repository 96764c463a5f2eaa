// SPDX-License-Identifier: BSD-3-Clause
// Result keys of the user's own program.
#pragma once
#include "base/result_keys.hpp"

namespace hypermon {

struct ProgramKeys {
  ResultKey<std::string> compute{"program.compute", "",
                                 "workload program: what its own code took, as program.compute says."};
  ResultKey<int> charges{"program.charges", "",
                         "How often the program (explicit) or the calibration (calibrated) said what that took."};
  ResultKey<double> charged_s{"program.charged_s", "s",
                              "All that they said, of all ranks; zero: counted, but not taken."};
  ResultKey<int> regions{"program.regions", "",
                         "calibrated: places between two MPI calls that were passed and had been measured."};
  ResultKey<int> unmeasured_regions{"program.unmeasured_regions", "",
                                    "calibrated: places that were passed, but never measured: they took no time."};
  ResultKey<int> unmeasured_passes{"program.unmeasured_passes", "", "calibrated: how often they were passed."};
};
inline constexpr ProgramKeys program_keys{};

} // namespace hypermon
