// SPDX-License-Identifier: BSD-3-Clause
// Outages of the server (nfs.outages).
#pragma once
#include "hw/machine/failures.hpp"

#include <string>
#include <vector>

namespace hypermon::nfs {

using Outage = Downtime;

/// Parses "10 2; 60 0.5": times and durations in s, ordered by time. Throws UserError if the text cannot be parsed or
/// if an outage begins before the one before it has ended.
std::vector<Outage> outages_of(const std::string& text);

} // namespace hypermon::nfs
