// SPDX-License-Identifier: BSD-3-Clause
// A rank's end as the C library has it: main returns or the program calls exit, and what the rank's copy of the program
// registered runs (atexit, destructors of static and thread-local objects, destructor functions), as the rank.
#pragma once
#include <string>
#include <vector>

namespace hypermon {

/// What the rank's copy has of destructor functions, in the order in which they are to run. The loader no longer runs
/// them.
void set_destructors(int rank, std::vector<void (*)()> functions);

/// The rank's process ends: runs what is registered, and notes an end that is not a good one. `did`: "returned".
/// In a child of fork, ends that process.
void end_rank(int rank, const std::string& did, int status, bool runs_handlers = true);

} // namespace hypermon
