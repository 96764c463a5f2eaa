// SPDX-License-Identifier: BSD-3-Clause
// Crashes of a rank: they end the simulation, with exit status 3 and the rank that it was.
#pragma once

namespace hypermon {

/// Signals that the program's code raises are reported as the program's. To be called after SimGrid's engine is made,
/// which has a handler of its own.
void catch_crashes();

} // namespace hypermon
