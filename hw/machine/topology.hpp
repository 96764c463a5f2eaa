// SPDX-License-Identifier: BSD-3-Clause
// The network between the nodes, as a SimGrid zone.
#pragma once
#include "base/spec.hpp"

#include <simgrid/forward.h>

#include <vector>

namespace hypermon {

/// Adds hosts node0, node1, ... and the links between them to `root` according to machine.topology, except for xml.
simgrid::s4u::NetZone* add_nodes(simgrid::s4u::NetZone* root, const Spec& spec);
/// For a loaded platform file: the host that smpirun would give to each of `places` ranks, in turn over all hosts.
/// `apart`: each rank needs a host of its own. Throws UserError if the file has too few hosts.
std::vector<simgrid::s4u::Host*> xml_hosts(const std::string& file, std::size_t places, bool apart);

} // namespace hypermon
