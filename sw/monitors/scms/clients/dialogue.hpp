// SPDX-License-Identifier: BSD-3-Clause
// A client that somebody outside drives: calls of RMI as JSON lines, answers alike. Simulated time stands still between
// them.
#pragma once
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/scms/plugins/plugins.hpp"
#include "sw/monitors/scms/rmi.hpp"

namespace hypermon::scms {

/// In a daemon's body, until it is told to finish. If the run ends before that, the call that waits is told so; if the
/// caller has gone, the run fails.
void converse(Daemon& self, Wiring& wiring, Peer client, const Plugins& plugins, std::int64_t nodes,
              const Dialogue& dialogue);

} // namespace hypermon::scms
