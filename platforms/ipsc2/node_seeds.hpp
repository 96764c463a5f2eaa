// What the seed gives each node: its crystal, and the phases in which it ticks and starts.
#pragma once
#include "platforms/ipsc2/node_clock.hpp"
#include "platforms/spec/spec.hpp"
#include <vector>

namespace hypermon {

struct NodeSeeds {
  NodeClock clock;
  double tick_phase;  ///< in [0, 1)
  double start_phase; ///< in [0, 1)
};
/// Of all nodes, in order.
std::vector<NodeSeeds> node_seeds(const Spec& spec);
/// Their clocks alone.
std::vector<NodeClock> node_clocks(const Spec& spec);

/// From the start of an emission to its first strobe.
inline Time datum_cost(const PortParams& port, const NodeClock& clock) {
  return clock.stretch(Time::from_ns_rounded(port.nibble_cost_ns));
}
/// From one strobe to the next, on a node whose crystal is right.
inline double nominal_pitch_ns(const PortParams& port) {
  return port.nibble_cost_ns + static_cast<double>(port.delay) * port.delay_iteration_ns;
}
/// The same on the node's own.
inline Time datum_pitch(const PortParams& port, const NodeClock& clock) {
  return clock.stretch(Time::from_ns_rounded(nominal_pitch_ns(port)));
}

} // namespace hypermon
