// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "base/results.hpp"
#include "sw/os/operating_system.hpp"

namespace hypermon {

/// Adds `cpu` to the result of a run in which processes shared processors.
void report_processors(Results& results, const OperatingSystem& os);

/// Adds `memory` to the result, with the ranks' page faults, if memory is modelled.
void report_memory(Results& results, const OperatingSystem& os);

} // namespace hypermon
