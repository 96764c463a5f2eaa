// SPDX-License-Identifier: BSD-3-Clause
// Crashes of ranks: they end the simulation with exit status 3 and a message that names the rank.
#pragma once

namespace hypermon {

/// Signals raised by the program's code are reported as the program's failures. Call this after SimGrid's engine is
/// constructed, because the engine installs its own handler.
void catch_crashes();

} // namespace hypermon
