// SPDX-License-Identifier: BSD-3-Clause
// The monholes of a run in its result.
#pragma once
#include "base/json_value.hpp"
#include "sw/monitors/supermon/core/monhole_buffer.hpp"

#include <vector>

namespace hypermon::supermon {

/// The result's `monitor.monhole`, of the buffers of nodes 0, 1, ..., all with as many sinks.
Json to_json(const std::vector<const MonholeBuffer*>& nodes);

} // namespace hypermon::supermon
