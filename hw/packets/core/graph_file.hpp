// SPDX-License-Identifier: BSD-3-Clause
// A user's own network of packets: a text file with an edge on each line, "END END [MiB/s [us]]". Empty lines, and what
// follows a #, say nothing. node0, node1, ..., host, neighbour0_node0, ... and server0, ... are computers; other names
// are switches.
#pragma once
#include "hw/packets/core/graph.hpp"
#include "hw/packets/core/params.hpp"

#include <istream>
#include <string>
#include <vector>

namespace hypermon::piosim {

/// Edges without numbers of their own are like packets.edge_* says; those between two switches, like packets.uplink_*.
/// `path`: what an error names. Throws UserError with the line if a line cannot be read, an edge is there twice or
/// connects something with itself; without, if a station is missing or does not reach the others.
NetworkGraph read_graph(std::istream& text, const std::string& path, const PacketParams& params,
                        const std::vector<std::string>& stations);

} // namespace hypermon::piosim
