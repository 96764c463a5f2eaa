// SPDX-License-Identifier: BSD-3-Clause
// Processes that a rank makes: fork, system, popen, posix_spawn. They are the host's, take no simulated time, and what
// they write is the rank's output. A child of fork is a copy of the whole simulation that must not go on with it.
#pragma once

namespace hypermon {

/// Is this process a child that a rank has forked?
bool in_child();
/// It ends, with its own status.
[[noreturn]] void end_child(int status);

} // namespace hypermon
