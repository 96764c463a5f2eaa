// SPDX-License-Identifier: BSD-3-Clause
// The graph of a run's packet network: its computers, their places and their connections.
#pragma once
#include "base/spec.hpp"
#include "hw/packets/core/graph.hpp"

#include <cstddef>

namespace hypermon {

/// Number of computers of programs if the program has no rank on the host: the nodes and the neighbours' nodes.
std::size_t places_without_host(const Spec& spec);

/// Builds the graph of packets.topology, with its outages. Stations are `places` computers of programs (the nodes; the
/// host if there is one more than places_without_host(); the neighbours' nodes), then the servers' own. For an ideal
/// network the stations are on a star, which is not used. Throws UserError.
piosim::NetworkGraph packet_graph(const Spec& spec, std::size_t places);

} // namespace hypermon
