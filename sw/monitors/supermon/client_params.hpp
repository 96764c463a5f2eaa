// SPDX-License-Identifier: BSD-3-Clause
// Parameters of Supermon's clients.
#pragma once
#include "base/quantity.hpp"
#include "base/several.hpp"
#include "sw/monitors/supermon/core/combined.hpp"
#include "sw/monitors/supermon/core/sampling.hpp"

#include <cstdint>
#include <string>

namespace hypermon {

/// Who asks the root for what, and when.
struct SupermonClientParams {
  std::int64_t count = 1;
  std::int64_t clients = 1;
  std::string place;
  Seconds period_s = 1;
  Seconds begin_s = 1;
  Seconds end_s = 0;
  std::string nodes = "all";
  std::string counters = "all";
  bool monhole = true;
  double share = 1;
  supermon::NodeSampling sampling = supermon::NodeSampling::random;
  supermon::Combining combine = supermon::Combining::none;
  Nanoseconds byte_ns = 0;
  bool log = false;
};
using SupermonClientSection = Several<SupermonClientParams>;

} // namespace hypermon
