// SPDX-License-Identifier: BSD-3-Clause
#pragma once
#include "sw/nx2/nx2.hpp"

#include <nlohmann/json.hpp>

namespace hypermon {

/// Adds `cpu` to the result of a run in which processes shared processors.
void report_processors(nlohmann::ordered_json& result, const Nx2& os);

/// Adds `memory`: what the ranks missed in it, if it is modelled.
void report_memory(nlohmann::ordered_json& result, const Nx2& os);

} // namespace hypermon
