// SPDX-License-Identifier: BSD-3-Clause
// Profiles as files of a shared file system: a temporary file is opened, written, closed and renamed to the name that a
// consumer polls, so that the consumer reads only complete profiles (TAU over Supermon sec. 4).
#pragma once
#include "sw/monitors/monitor_kind.hpp"
#include "sw/monitors/tau/profile_log.hpp"

#include <memory>

namespace hypermon::tau {

std::unique_ptr<Transport> make_file_transport(const MonitorSetting& setting, ProfileLog& log);

} // namespace hypermon::tau
