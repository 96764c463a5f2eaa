// SPDX-License-Identifier: BSD-3-Clause
// The transport of a run.
#pragma once
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/tau/profile_log.hpp"

#include <memory>

namespace hypermon::tau {

/// Null for none.
std::unique_ptr<Transport> make_transport(const MonitorSetting& setting, ProfileLog& log);

} // namespace hypermon::tau
