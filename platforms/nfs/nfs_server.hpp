// SPDX-License-Identifier: BSD-3-Clause
// Where the shared file system's server stands.
#pragma once
#include "platforms/nfs/core/params.hpp"
#include "sw/model/site.hpp"

#include <optional>

namespace hypermon {

/// None: there is none.
std::optional<Place> nfs_server(const NfsParams& params);

} // namespace hypermon
