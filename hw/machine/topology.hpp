// SPDX-License-Identifier: BSD-3-Clause
// The network between the nodes, as a zone of SimGrid's.
#pragma once
#include "base/spec.hpp"

#include <simgrid/forward.h>

#include <vector>

namespace hypermon {

/// Adds hosts node0, node1, ... and the links between them to `root` as machine.topology says, but for xml.
simgrid::s4u::NetZone* add_nodes(simgrid::s4u::NetZone* root, const Spec& spec);
/// Of a platform file that is loaded: for each of `places` ranks the host that smpirun would give it, all hosts in
/// turn. `apart`: each shall have one of its own. Throws UserError if the file has too few.
std::vector<simgrid::s4u::Host*> xml_hosts(const std::string& file, std::size_t places, bool apart);

} // namespace hypermon
