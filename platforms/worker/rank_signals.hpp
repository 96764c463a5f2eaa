// SPDX-License-Identifier: BSD-3-Clause
// Handlers that ranks set for the signals of a crash: all ranks are in one process, which has a handler of its own for
// the report. A handler that the program sets is kept for its rank and called before the report. What libraries set
// (libgfortran's handlers, for one) is ignored: it would only say that there was a crash.
#pragma once
#include <csignal>

namespace hypermon {

/// Calls the rank's own handler of the signal, if the program has set one. True if the program goes on behind it: it
/// has returned, and the signal is one that a handler may return from.
bool run_own_handler(int rank, int signal, siginfo_t* info, void* context);
/// The process's own handler; past what the ranks set.
void set_process_handler(int signal, const struct sigaction& action);

} // namespace hypermon
