// SPDX-License-Identifier: BSD-3-Clause
// The monitor's place, its network and the nodes that it queries, according to the parameters.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/site.hpp"

#include <vector>

namespace hypermon::hpvm {

/// Throw UserError with the parameter's path if the named object does not exist.
Place place_of_monitor(const Spec& spec);
NetworkId network_of_monitor(const Spec& spec);
std::vector<NodeId> nodes_to_ask(const Spec& spec);

} // namespace hypermon::hpvm
