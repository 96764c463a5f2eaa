// SPDX-License-Identifier: BSD-3-Clause
// When the server is down, as nfs.outages says.
#pragma once
#include "hw/machine/failures.hpp"

#include <string>
#include <vector>

namespace hypermon::nfs {

using Outage = Downtime;

/// "10 2; 60 0.5": the date in s, for how many s. In the order of the dates. Throws UserError if it cannot be read or
/// if one begins before the one before has ended.
std::vector<Outage> outages_of(const std::string& text);

} // namespace hypermon::nfs
