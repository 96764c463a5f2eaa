// SPDX-License-Identifier: BSD-3-Clause
// Monitors that are not built in (sw/monitors/plugin.hpp).
#pragma once
#include <string>

namespace hypermon {

/// Loads the shared object and registers its monitor. Must precede the first call of parts(). Throws UserError if the
/// file is no plug-in or was built against another hypermon.
void load_plugin(const std::string& file);

} // namespace hypermon
