// SPDX-License-Identifier: BSD-3-Clause
// What ends a simulation that would not end by itself. No part of what is simulated: a limit that is not reached
// changes no result.
#pragma once
#include "base/field.hpp"
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

struct LimitsParams {
  Seconds simulated_s = 0;
  Seconds host_s = 86400;
  std::int64_t steps_at_once = 10'000'000;
};

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
