// SPDX-License-Identifier: BSD-3-Clause
// Graphs of regular packet networks: trees of switches, and lattices without switches (hypercube, torus). Routes are
// computed from the places of the stations, in no more memory than the graph itself takes.
#pragma once
#include "hw/packets/core/graph.hpp"
#include "hw/packets/core/params.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hypermon::piosim {

/// A computer of a program, or a server's own computer.
struct StationAt {
  std::string name;
  std::uint32_t place = 0;
  bool is_extra = false; ///< the place belongs to another station, to which this one has its own edge
};

/// Switches in levels, from the lowest on. Each list has one entry per level.
struct TreeShape {
  std::vector<unsigned> children; ///< number of children of a switch, at each level
  std::vector<unsigned> parents;  ///< number of parents of a computer, or of a switch of the level below
  std::vector<unsigned> cables;   ///< to each parent
};

/// Stations around one switch or, with packets.fan_out, groups of them at switches below a root switch.
NetworkGraph star_graph(const PacketParams& params, const std::vector<std::string>& stations);

/// A fat tree with D-mod-k routes: up to the lowest switch above the target. The target's place selects the parent and
/// the cable to it. An extra station is another child of its place's lowest switches.
NetworkGraph tree_graph(const PacketParams& params, const TreeShape& shape, const std::vector<StationAt>& stations);

/// A torus of computers, or a hypercube (sizes of 2 only), with dimension-order routes, each dimension along the
/// shorter way. Of two equally long ways a packet takes the one to higher coordinates, as in SimGrid, except from the
/// middle to coordinate 0. An extra station has an edge to the computer at its place.
NetworkGraph lattice_graph(const PacketParams& params, const std::vector<unsigned>& sizes,
                           const std::vector<StationAt>& stations);

} // namespace hypermon::piosim
