// SPDX-License-Identifier: BSD-3-Clause
// The place of the shared file system's server.
#pragma once
#include "hw/machine/site.hpp"
#include "hw/nfs/core/params.hpp"

#include <optional>

namespace hypermon {

/// None if there is no server.
std::optional<Place> nfs_server(const NfsParams& params);

} // namespace hypermon
