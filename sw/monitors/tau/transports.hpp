// SPDX-License-Identifier: BSD-3-Clause
// The transports by which profiles leave the nodes while the program runs.
#pragma once
#include "base/spec.hpp"
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/tau/params.hpp"
#include "sw/monitors/tau/profile_log.hpp"

#include <memory>

namespace hypermon::tau {

/// The transport of a run, never TauTransport::monitor. Throws UserError if monitor, parameter and the program's
/// environment contradict each other.
TauTransport transport_of(const Spec& spec);

/// Null if the run has no transport.
std::unique_ptr<Transport> make_transport(const MonitorSetting& setting, ProfileLog& log);

/// Profiles as files of a shared file system: a temporary file is opened, written, closed and renamed to the name that
/// a consumer polls, so that the consumer reads only complete profiles (TAU over Supermon sec. 4).
std::unique_ptr<Transport> make_file_transport(const MonitorSetting& setting, ProfileLog& log);

/// Profiles as s-expressions in the monhole of the node's mon, from which Supermon's clients read them (TAU over
/// Supermon sec. 3.3).
std::unique_ptr<Transport> make_monhole_transport(const MonitorSetting& setting, ProfileLog& log);

} // namespace hypermon::tau
