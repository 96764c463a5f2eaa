// SPDX-License-Identifier: BSD-3-Clause
// What the core makes of writes, in the naive model's terms.
#pragma once
#include "tests/monitors/funnel/core/drawn.hpp"

#include <string>

namespace hypermon::testing {

/// Writes as a co-simulation does: at each horizon, everything before it. `broken_promise` names a source that
/// continued before earliest_resume(), if there is one.
TraceOutcome core_outcome(const DrawnTrace& drawn, std::string& broken_promise);
/// Everything is written beforehand. There is no horizon, and the stream's bytes are not read.
TraceOutcome core_outcome_at_once(const DrawnTrace& drawn);

/// The difference in words; empty if they are equal.
std::string difference(const TraceOutcome& expected, const TraceOutcome& got);
/// The violated invariant of an outcome, for any design; empty if all hold.
std::string broken_law(const TraceFunnelDesign& design, const TraceOutcome& outcome);

} // namespace hypermon::testing
