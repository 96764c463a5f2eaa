// SPDX-License-Identifier: BSD-3-Clause
// The speed at which a node writes to its performance port.
#pragma once
#include "hw/hypermon/core/params.hpp"
#include "hw/machine/node_clock.hpp"

namespace hypermon {

/// Time from the start of an emission to its first strobe.
inline Time datum_cost(const PortParams& port, const NodeClock& clock) { return clock.stretch(port.nibble_cost_ns); }
/// Time from one strobe to the next on a node with a perfect crystal.
inline Nanoseconds nominal_pitch(const PortParams& port) {
  return port.nibble_cost_ns + static_cast<double>(port.delay) * port.delay_iteration_ns;
}
/// Time from one strobe to the next on a node with this clock.
inline Time datum_pitch(const PortParams& port, const NodeClock& clock) { return clock.stretch(nominal_pitch(port)); }

} // namespace hypermon
