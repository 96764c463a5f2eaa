// SPDX-License-Identifier: BSD-3-Clause
// A user's plug-in: a shared object (sw/include/hypermon_cma.h).
#pragma once
#include "sw/monitors/scms/plugins/plugin.hpp"

#include <stdexcept>
#include <string>

namespace hypermon {
class Site;
}

namespace hypermon::scms {

/// Reason why an object is not a plug-in, as a CMA reports it when it has to load the object.
struct NoPlugin : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Loads the object and reads its description. Throws NoPlugin.
std::unique_ptr<Plugin> own_plugin(const std::string& file, Site& site);

} // namespace hypermon::scms
