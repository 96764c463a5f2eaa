// SPDX-License-Identifier: BSD-3-Clause
// Graphs of regular networks of packets: switches in a tree, and lattices without switches (hypercube, torus). Their
// routes are computed from the places of the stations, in no more memory than the graph itself takes.
#pragma once
#include "hw/packets/core/graph.hpp"
#include "hw/packets/core/params.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::piosim {

/// A computer under a program, or a server's.
struct StationAt {
  std::string name;
  std::uint32_t place = 0;
  bool is_extra = false; ///< the place is another station's: this one has an edge of its own to it
};

/// Switches in levels, the lowest first; each level has as many entries as there are levels.
struct TreeShape {
  std::vector<unsigned> children; ///< of a switch
  std::vector<unsigned> parents;  ///< of a computer, or of a switch of the level below
  std::vector<unsigned> cables;   ///< to each parent
};

/// Stations around one switch; with packets.fan_out, groups of them at switches below a root switch.
NetworkGraph star_graph(const PacketParams& params, const std::vector<std::string>& stations);

/// A fat tree with D-mod-k routes: up to the lowest switch that is above the target, whose place decides between
/// parents, and between the cables to a parent. An extra station is another child of its place's lowest switches.
NetworkGraph tree_graph(const PacketParams& params, const TreeShape& shape, const std::vector<StationAt>& stations);

/// A torus of computers, or a hypercube (sizes of 2 only), with dimension-order routes: the first dimension first, the
/// short way round. Of two ways of equal length a packet takes the one to higher coordinates, as in SimGrid; from the
/// middle to coordinate 0 the other one. An extra station has an edge to the computer at its place.
NetworkGraph lattice_graph(const PacketParams& params, const std::vector<unsigned>& sizes,
                           const std::vector<StationAt>& stations);

} // namespace hypermon::piosim
