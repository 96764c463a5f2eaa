// SPDX-License-Identifier: BSD-3-Clause
// What a recording of the bursts that the nodes wrote holds for (design decision 10): parameters behind the ports do
// not change what the nodes write, unless the hardware acts back.
#pragma once
#include "base/json_value.hpp"
#include "base/spec.hpp"

namespace hypermon {

/// Path and value of every parameter that what the nodes write depends on if nothing acts back: those before the ports,
/// but for programs that do not run, monitors that are not there, and limits. Where these are equal, so is every burst.
Json emission_parameters(const Spec& spec);

} // namespace hypermon
