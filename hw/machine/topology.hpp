// SPDX-License-Identifier: BSD-3-Clause
// The network between the nodes, as a SimGrid zone.
#pragma once
#include "base/spec.hpp"
#include "hw/machine/machine_params.hpp"

#include <simgrid/forward.h>

#include <vector>

namespace hypermon {

/// Adds hosts node0, node1, ... and the links between them to `root` according to machine.topology, except for xml.
simgrid::s4u::NetZone* add_nodes(simgrid::s4u::NetZone* root, const Spec& spec);
/// Returns the host for each of `places` ranks, as smpirun places them: in turn on the hosts of machine.hosts, or on
/// all hosts of the loaded platform file. `apart`: each rank needs a host of its own. Throws UserError if there are too
/// few hosts, or if the host file names an unknown one.
std::vector<simgrid::s4u::Host*> xml_hosts(const MachineParams& machine, std::size_t places, bool apart);

} // namespace hypermon
