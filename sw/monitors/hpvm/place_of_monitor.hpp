// SPDX-License-Identifier: BSD-3-Clause
// Where the monitor runs, what it talks over, whom it asks: as the parameters name them.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/site.hpp"

#include <vector>

namespace hypermon::hpvm {

/// Throw UserError by the parameter's path, if there is no such thing.
Place place_of_monitor(const Spec& spec);
NetworkId network_of_monitor(const Spec& spec);
std::vector<NodeId> nodes_to_ask(const Spec& spec);

} // namespace hypermon::hpvm
