// SPDX-License-Identifier: BSD-3-Clause
// Places of file servers.
#pragma once
#include "base/several.hpp"
#include "base/spec.hpp"
#include "hw/machine/site.hpp"
#include "hw/machine/storage_params.hpp"

namespace hypermon {

using ServerSection = Several<ServerParams>;
using DiskSection = Several<DiskParams>;

inline Place place_of(const ServerParams& server) { return {server.place, static_cast<std::uint32_t>(server.number)}; }

} // namespace hypermon
