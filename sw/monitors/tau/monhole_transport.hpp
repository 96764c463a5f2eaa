// SPDX-License-Identifier: BSD-3-Clause
// Profiles as s-expressions in the monhole of the node's mon, from which Supermon's clients read them (TAU over
// Supermon sec. 3.3).
#pragma once
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/tau/profile_log.hpp"

#include <memory>

namespace hypermon::tau {

std::unique_ptr<Transport> make_monhole_transport(const MonitorSetting& setting, ProfileLog& log);

} // namespace hypermon::tau
