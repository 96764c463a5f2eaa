// SPDX-License-Identifier: BSD-3-Clause
// The graph of a run's network of packets: which computers are on it, where they stand, and how they are connected.
#pragma once
#include "base/spec.hpp"
#include "hw/packets/core/graph.hpp"

#include <cstddef>

namespace hypermon {

/// Computers under programs if the program has no rank on the host: the nodes, and the neighbours' nodes.
std::size_t places_without_host(const Spec& spec);

/// As packets.topology says, with its outages. Stations are `places` computers under programs (the nodes; the host if
/// there is one more than places_without_host(); the neighbours' nodes), then the servers' own. An ideal network has
/// no graph: its stations are on a star. Throws UserError.
piosim::NetworkGraph packet_graph(const Spec& spec, std::size_t places);

} // namespace hypermon
