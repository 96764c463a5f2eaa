// SPDX-License-Identifier: BSD-3-Clause
// Validity of a recording of the nodes' bursts (docs/design/README.md, decision 9): parameters behind the ports do not
// change what the nodes write, unless the hardware applies back-pressure.
#pragma once
#include "base/json_value.hpp"
#include "base/spec.hpp"

namespace hypermon {

/// Path and value of every parameter on which the nodes' writes depend without back-pressure: those before the ports,
/// except for programs that do not run, absent monitors, and limits. If these are equal, every burst is equal.
Json emission_parameters(const Spec& spec);

} // namespace hypermon
