// SPDX-License-Identifier: BSD-3-Clause
// The monholes of a run in its result.
#pragma once
#include "base/results.hpp"
#include "sw/monitors/supermon/core/monhole_buffer.hpp"

#include <vector>

namespace hypermon::supermon {

/// Writes `monitor.monhole`, from the buffers of nodes 0, 1, ..., all with as many sinks.
void report(Results& results, const std::vector<const MonholeBuffer*>& nodes);

} // namespace hypermon::supermon
