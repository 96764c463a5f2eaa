// SPDX-License-Identifier: BSD-3-Clause
// A user's own packet network: a text file with one edge per line, "END END [MiB/s [us]]". Empty lines and comments
// after # are ignored. node0, node1, ..., host, neighbour0_node0, ... and server0, ... are computers; other names are
// switches.
#pragma once
#include "hw/packets/core/graph.hpp"
#include "hw/packets/core/params.hpp"

#include <istream>
#include <string>
#include <vector>

namespace hypermon::piosim {

/// Edges without numbers of their own get packets.edge_*, or packets.uplink_* between two switches. `path` is used in
/// errors. Throws UserError, with the line if a line cannot be parsed or an edge is repeated or connects a vertex with
/// itself; also if a station is missing or not connected with the others.
NetworkGraph read_graph(std::istream& text, const std::string& path, const PacketParams& params,
                        const std::vector<std::string>& stations);

} // namespace hypermon::piosim
