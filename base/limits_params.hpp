// SPDX-License-Identifier: BSD-3-Clause
// What ends a simulation that would not end by itself. No part of what is simulated: a limit that is not reached
// changes no result.
#pragma once
#include "base/quantity.hpp"

#include <cstdint>

namespace hypermon {

struct LimitsParams {
  Seconds simulated_s = 0;
  Seconds host_s = 86400;
  std::int64_t steps_at_once = 10'000'000;
};

} // namespace hypermon
