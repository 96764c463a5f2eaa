// SPDX-License-Identifier: BSD-3-Clause
// limits.host_s: limit of the host time of a simulation.
#pragma once

namespace hypermon {

/// After `seconds` from now (0: never) the process ends with status 3 and reports the simulated time and current
/// activity. This works even during an endless loop in a rank's own code. Call this after catch_crashes(), whose
/// stack the report uses.
void limit_host_time(double seconds);

} // namespace hypermon
