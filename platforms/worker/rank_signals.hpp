// SPDX-License-Identifier: BSD-3-Clause
// Handlers that ranks set for the signals of crashes. All ranks are in one process, which has its own handler for
// reports. A handler set by the program is stored for its rank and called before the report. Handlers set by libraries,
// such as libgfortran's, are ignored because they would only report the crash.
#pragma once
#include <csignal>

namespace hypermon {

/// Calls the rank's own handler of the signal if the program has set one. Returns true if the program continues: the
/// handler has returned, and the signal permits that.
bool run_own_handler(int rank, int signal, siginfo_t* info, void* context);
/// Sets the process's own handler, bypassing the ranks' handlers.
void set_process_handler(int signal, const struct sigaction& action);

} // namespace hypermon
