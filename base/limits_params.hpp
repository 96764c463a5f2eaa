// SPDX-License-Identifier: BSD-3-Clause
// Limits that end a simulation that would not end by itself. They are not part of the simulated system: a limit that is
// not reached changes no result.
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
  return fields(Field{"simulated_s", &LimitsParams::simulated_s, range(0, 1e6),
                      "Simulated time after which a program that has not ended is stopped with an error. 0: no limit.",
                      "chosen"},
                Field{"host_s", &LimitsParams::host_s, range(0, 1e8),
                      "Host time after which the simulation is stopped with an error. 0: no limit.", "chosen: a day"},
                Field{"steps_at_once", &LimitsParams::steps_at_once, range(0, 1e15), "",
                      "Largest number of MPI calls of a rank, or of steps of the simulated hardware, without progress "
                      "of simulated time. It stops runs that would never end. 0: no limit.",
                      "chosen: seconds of the host's time"});
}
static_assert(all_members_described<LimitsParams>());

} // namespace hypermon
