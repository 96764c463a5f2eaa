// SPDX-License-Identifier: BSD-3-Clause
// What is said of the parameters in limits_params.hpp: read where they are described, not where they are used.
#pragma once
#include "base/field.hpp"
#include "base/limits_params.hpp"

namespace hypermon {

constexpr auto fields_of(const LimitsParams*) {
  return fields(
      Field{"simulated_s", &LimitsParams::simulated_s, range(0, 1e6),
            "Simulated time by which the program must have ended; 0: whenever it does.", "chosen"},
      Field{"host_s", &LimitsParams::host_s, range(0, 1e8),
            "The host's time that the simulation may take; 0: as much as it takes.", "chosen: a day"},
      Field{"steps_at_once", &LimitsParams::steps_at_once, range(0, 1e15), "",
            "MPI calls of a rank, or steps of the simulated hardware, that may follow each other while simulated time "
            "stands still: with more the run would never end. 0: any number.",
            "chosen: seconds of the host's time"});
}
static_assert(all_members_described<LimitsParams>());

} // namespace hypermon
