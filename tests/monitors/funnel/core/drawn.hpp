// SPDX-License-Identifier: BSD-3-Clause
// Random trace funnels and what is written to them.
#pragma once
#include "tests/monitors/funnel/core/naive.hpp"
#include "tests/random.hpp"

namespace hypermon::testing {

struct DrawnTrace {
  TraceFunnelDesign design;
  std::vector<TraceWrite> writes;
  std::optional<Time> stop;
  std::vector<Time> horizons;
};

/// A design without a problem, tight enough that everything happens, and its traffic.
DrawnTrace draw_trace(Random& random);

} // namespace hypermon::testing
