// What ends a simulation that would not end by itself. No part of what is simulated: a limit that is not reached
// changes no result.
#pragma once
#include <cstdint>

namespace hypermon {

struct LimitsParams {
  double simulated_s = 0;
  double host_s = 86400;
  std::int64_t steps_at_once = 10'000'000;
};

} // namespace hypermon
