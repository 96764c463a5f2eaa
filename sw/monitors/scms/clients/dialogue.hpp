// SPDX-License-Identifier: BSD-3-Clause
// A client that a program outside controls with calls of RMI as JSON lines; answers are JSON lines as well. Simulated
// time does not pass between calls.
#pragma once
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/scms/plugins/plugins.hpp"
#include "sw/monitors/scms/rmi.hpp"

namespace hypermon::scms {

/// Runs in a daemon's body until the command to finish. If the run ends before, the waiting call is answered with that.
/// If the program outside has ended, the run fails.
void converse(Daemon& self, Wiring& wiring, Peer client, const Plugins& plugins, std::int64_t nodes,
              const Dialogue& dialogue);

} // namespace hypermon::scms
