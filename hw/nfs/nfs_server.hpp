// SPDX-License-Identifier: BSD-3-Clause
// Where the shared file system's server stands.
#pragma once
#include "hw/machine/site.hpp"
#include "hw/nfs/core/params.hpp"

#include <optional>

namespace hypermon {

/// None: there is none.
std::optional<Place> nfs_server(const NfsParams& params);

} // namespace hypermon
