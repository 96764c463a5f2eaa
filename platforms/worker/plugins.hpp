// SPDX-License-Identifier: BSD-3-Clause
// Monitors that are not built in (sw/monitors/plugin.hpp).
#pragma once
#include <string>

namespace hypermon {

/// Loads the shared object and registers the monitor that it brings; before anybody has asked for parts(). Throws
/// UserError if it is none, or was built against another hypermon.
void load_plugin(const std::string& file);

} // namespace hypermon
