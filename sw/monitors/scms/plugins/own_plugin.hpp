// SPDX-License-Identifier: BSD-3-Clause
// A plug-in of the user's own: a shared object (sw/include/hypermon_cma.h).
#pragma once
#include "sw/monitors/scms/plugins/plugin.hpp"

#include <stdexcept>
#include <string>

namespace hypermon {
class Site;
}

namespace hypermon::scms {

/// Why an object is no plug-in: what a CMA that was told to load it would report.
struct NoPlugin : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Loads the object and asks what it is. Throws NoPlugin.
std::unique_ptr<Plugin> own_plugin(const std::string& file, Site& site);

} // namespace hypermon::scms
