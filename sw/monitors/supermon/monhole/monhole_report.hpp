// SPDX-License-Identifier: BSD-3-Clause
// Results about the monholes of a run.
#pragma once
#include "base/results.hpp"
#include "sw/monitors/supermon/core/monhole_buffer.hpp"

#include <vector>

namespace hypermon::supermon {

/// Sets `monitor.monhole` from the buffers of nodes 0, 1, ..., which must have equally many sinks.
void report(Results& results, const std::vector<const MonholeBuffer*>& nodes);

} // namespace hypermon::supermon
