// SPDX-License-Identifier: BSD-3-Clause
// Parameters of the networks beside the machine's own.
#pragma once
#include "base/quantity.hpp"
#include "base/several.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// A switched network; there are none by default.
struct LanParams {
  std::int64_t count = 0;
  std::string name = "ethernet";
  double bandwidth_mb_per_s = 12.5;
  Microseconds latency_us = 60;
  Microseconds switch_us = 10;
  std::int64_t fan_out = 0;
  double trunk_mb_per_s = 0;
  double backplane_mb_per_s = 0;
};
using LanSection = Several<LanParams>;

} // namespace hypermon
