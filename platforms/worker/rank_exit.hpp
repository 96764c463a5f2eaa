// SPDX-License-Identifier: BSD-3-Clause
// End of a rank as in the C library: main returns or the program calls exit. Then everything that the rank's copy of
// the program has registered runs as the rank (atexit, destructors of static and thread-local objects, destructor
// functions).
#pragma once
#include <string>
#include <vector>

namespace hypermon {

/// Sets the destructor functions of the rank's copy, in their order of execution. The loader no longer runs them.
void set_destructors(int rank, std::vector<void (*)()> functions);

/// Ends the rank's process: runs the registered functions and records an abnormal end. `did`: "returned". In a child of
/// fork, ends that process.
void end_rank(int rank, const std::string& did, int status, bool runs_handlers = true);

} // namespace hypermon
