// SPDX-License-Identifier: BSD-3-Clause
// limits.host_s: the host's time that a simulation may take.
#pragma once

namespace hypermon {

/// From now on: after so many seconds (0: never) the process ends with status 3, and says how far the simulation had
/// come and what was going on, whatever runs then: a rank's own code for ever too. After catch_crashes(), whose stack
/// the report uses.
void limit_host_time(double seconds);

} // namespace hypermon
