// SPDX-License-Identifier: BSD-3-Clause
// Selects the transport of a run.
#pragma once
#include "base/spec.hpp"
#include "sw/monitors/tau/params.hpp"

namespace hypermon::tau {

/// Never TauTransport::monitor. Throws UserError if monitor, parameter and the program's environment contradict each
/// other.
TauTransport transport_of(const Spec& spec);

} // namespace hypermon::tau
