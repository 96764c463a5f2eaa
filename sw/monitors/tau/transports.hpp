// SPDX-License-Identifier: BSD-3-Clause
// Makes the transport of a run.
#pragma once
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/tau/profile_log.hpp"

#include <memory>

namespace hypermon::tau {

/// Null if there is none.
std::unique_ptr<Transport> make_transport(const MonitorSetting& setting, ProfileLog& log);

} // namespace hypermon::tau
