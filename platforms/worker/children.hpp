// SPDX-License-Identifier: BSD-3-Clause
// Child processes of ranks: fork, system, popen, posix_spawn. They run on the host and take no simulated time, and
// their output is the rank's output. A child of fork is a copy of the whole simulation, which must not continue there.
#pragma once

namespace hypermon {

/// Whether this process is a child that a rank has forked.
bool in_child();
/// Ends the child with its own status.
[[noreturn]] void end_child(int status);

} // namespace hypermon
