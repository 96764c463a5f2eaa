// SPDX-License-Identifier: BSD-3-Clause
// What the core makes of writes, in the naive model's terms.
#pragma once
#include "tests/monitors/funnel/core/drawn.hpp"

#include <string>

namespace hypermon::testing {

/// Written as a co-simulation does: at each horizon what happens before it. `broken_promise`: who went on before
/// earliest_going_on(), if anybody did.
TraceOutcome core_outcome(const DrawnTrace& drawn, std::string& broken_promise);
/// Everything is written beforehand, there is no horizon, and nobody wants the stream's bytes.
TraceOutcome core_outcome_at_once(const DrawnTrace& drawn);

/// Where they differ, in words; nothing if they are equal.
std::string difference(const TraceOutcome& expected, const TraceOutcome& got);
/// What must hold of an outcome whatever the design; nothing if it does.
std::string broken_law(const TraceFunnelDesign& design, const TraceOutcome& outcome);

} // namespace hypermon::testing
