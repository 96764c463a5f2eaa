// A second master of the PBX: what is said of it.
#pragma once
#include "hw/core/time.hpp"
#include <cstdint>
#include <string>

namespace hypermon {

struct SecondMasterParams {
  std::int64_t words = 0;
  std::int64_t period_ns = 1000000;
  std::string arbitration = "round_robin";
  std::int64_t seed = 1;
};

} // namespace hypermon
